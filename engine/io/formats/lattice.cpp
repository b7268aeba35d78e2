#include <algorithm>
#include <base/validate.hpp>
#include <cmath>
#include <io/formats/lattice.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/line_reader.hpp>
#include <numbers>
#include <span>

namespace sphaera::io {
namespace {

/// Takes as many numbers between blanks; false if there are fewer.
bool take_numbers(std::string_view& text, std::span<double> numbers) {
  return std::ranges::all_of(
      numbers, [&](double& number) { return parse_number(take_word(text), number) == Parse::ok; });
}

Lattice valid_or_none(const Lattice& lattice) { return is_valid(lattice) ? lattice : Lattice{}; }

/// Exact for right angles.
double cosine_of_degrees(double degrees) {
  return degrees == 90 ? 0 : std::cos(degrees * (std::numbers::pi / 180));
}

}  // namespace

bool is_valid(const Lattice& lattice) {
  return std::ranges::all_of(lattice, [](const Vec3& edge) { return base::in_domain(edge); });
}

Lattice lattice_of_xyz(std::string_view edges, std::string_view periods) {
  std::array<double, 9> e{};
  if (!take_numbers(edges, e)) return {};
  Lattice lattice{{{e[0], e[1], e[2]}, {e[3], e[4], e[5]}, {e[6], e[7], e[8]}}};
  for (Vec3& edge : lattice) {
    const std::size_t letter = periods.find_first_of("TtFf10");
    if (letter == std::string_view::npos) break;
    if (std::string_view("Ff0").find(periods[letter]) != std::string_view::npos) edge = {};
    periods.remove_prefix(std::min(periods.find_first_of(" ,", letter), periods.size()));
  }
  return valid_or_none(lattice);
}

Vec3 lattice_origin_of_xyz(std::string_view origin) {
  std::array<double, 3> o{};
  if (!take_numbers(origin, o)) return {};
  const Vec3 corner{o[0], o[1], o[2]};
  return base::in_domain(corner) ? corner : Vec3{};
}

Lattice lattice_of_gro(std::string_view line) {
  std::array<double, 3> along{};
  std::array<double, 6> across{};
  if (!take_numbers(line, along)) return {};
  if (!trimmed(line).empty() && !take_numbers(line, across)) return {};
  const auto& [ay, az, bx, bz, cx, cy] = across;
  return valid_or_none({{{along[0], ay, az}, {bx, along[1], bz}, {cx, cy, along[2]}}});
}

Lattice lattice_of_pdb(std::string_view record) {
  constexpr std::array<std::array<std::size_t, 2>, 6> fields{
      {{6, 9}, {15, 9}, {24, 9}, {33, 7}, {40, 7}, {47, 7}}};  // begin, width
  std::array<double, 6> v{};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto [begin, width] = fields[i];
    if (record.size() < begin || parse_number(trimmed(record.substr(begin, width)), v[i]) != Parse::ok)
      return {};
  }
  const auto [a, b, c, alpha, beta, gamma] = v;
  if (a == 1 && b == 1 && c == 1) return {};
  // Edge a along x, b in the plane of x and y.
  const double cos_a = cosine_of_degrees(alpha), cos_b = cosine_of_degrees(beta),
               cos_g = cosine_of_degrees(gamma), sin_g = std::sqrt(1 - cos_g * cos_g);
  const double y = (cos_a - cos_b * cos_g) / sin_g;
  return valid_or_none(
      {{{a, 0, 0}, {b * cos_g, b * sin_g, 0}, {c * cos_b, c * y, c * std::sqrt(1 - cos_b * cos_b - y * y)}}});
}

}  // namespace sphaera::io
