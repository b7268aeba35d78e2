#include <algorithm>
#include <charconv>
#include <io/formats/csv.hpp>
#include <io/scene/atom_radii.hpp>
#include <io/streams/file_error.hpp>
#include <sphaera/scene_options.hpp>
#include <vector>

namespace sphaera::io {
namespace {

constexpr std::array<std::string_view, 2> radius_columns{"element", "radius"};
enum : int { col_element, col_radius };
constexpr std::size_t most_rows = 100000;

}  // namespace

AtomRadii::AtomRadii(ByteSource& source) : name_(source.name()) {
  CsvTable file(source, {.required = radius_columns, .optional = {}, .is_renamed = false});
  for (std::size_t rows = 1; file.next(); ++rows) {
    const std::string_view word = file.label(col_element);
    const double radius = file.number(col_radius);
    if (!(radius >= 0 && radius <= domain_limit))
      file.refuse(col_radius, "is no radius; give a number from 0 to 2^200");
    if (rows > most_rows) fail(file.name(), file.line(), "a file of radii has at most 100000 rows");
    const int number = atomic_number(word);
    auto& of_element = of_element_[static_cast<std::size_t>(number)];
    if (number > 0 ? of_element.has_value() : !of_word_.emplace(word, radius).second)
      file.refuse(col_element, "comes twice; give each element once");
    if (number > 0) of_element = radius;
  }
}

std::optional<double> AtomRadii::of_element(int number) const {
  return of_element_[static_cast<std::size_t>(number)];
}

std::string AtomRadii::unit_doubt(std::string_view unit, double hundredths_of_angstrom,
                                  const std::string& scene) const {
  std::vector<double> ratios;
  for (int number = 1; number <= element_count; ++number) {
    const double given = of_element(number).value_or(0), known = van_der_waals_radius(number);
    if (given > 0 && known > 0) ratios.push_back(given * hundredths_of_angstrom / known);
  }
  if (ratios.empty()) return {};
  const auto median = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::ranges::nth_element(ratios, median);
  if (*median < other_unit && *median > 1 / other_unit) return {};
  std::array<char, 32> times{};
  std::to_chars(times.data(), times.data() + times.size() - 1, *median, std::chars_format::general, 3);
  return name_ + ": the radii are " + times.data() + " times the van der Waals radii in " +
         std::string(unit) + ", the unit of " + scene + "; are they in another unit?";
}

std::optional<double> AtomRadii::of_word(std::string_view word) const {
  const auto found = of_word_.empty() ? of_word_.end() : of_word_.find(word);
  if (found == of_word_.end()) return std::nullopt;
  return found->second;
}

}  // namespace sphaera::io
