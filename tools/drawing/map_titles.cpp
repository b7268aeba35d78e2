#include <fmt/core.h>

#include <algorithm>
#include <tools/drawing/map_titles.hpp>
#include <tools/terminal/plural.hpp>

namespace sphaera::tool {
namespace {

std::string called(const std::vector<NamedStar>& stars, std::size_t number) {
  return stars[number].name.empty() ? fmt::format("star {}", number) : stars[number].name;
}

/// "Sun, Vega, star 2 and 5 more stars": those with a luminosity.
std::string luminous(const std::vector<NamedStar>& stars) {
  constexpr std::size_t max_listed = 3;
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = 0; i < stars.size(); ++i) {
    if (stars[i].shines() && ++count <= max_listed) names += (count == 1 ? "" : ", ") + called(stars, i);
  }
  return count <= max_listed ? names : names + " and " + counted(count - max_listed, "more star");
}

}  // namespace

std::string MapWords::title(Quantity quantity) const {
  switch (quantity) {
    case Quantity::fraction:
      return fmt::format("Share of the disc of {} that is seen {}", called(stars, chosen), where);
    case Quantity::flux:
      return fmt::format("Share of the light of {} that arrives {}", called(stars, chosen), where);
    case Quantity::light:
      return fmt::format("Shadows in the light of {} {}", called(stars, chosen), where);
    case Quantity::irradiance:
      return fmt::format("Irradiance from {} {}", luminous(stars), where);
    case Quantity::sky:
      return "Share of the sky that is open " + where;
    case Quantity::seen:
      return fmt::format("Share of {} that each place {} sees", counted(targets, "target"), where);
    case Quantity::sky_by_cosine:
      break;
  }
  return "Share of the light of an even sky that arrives " + where;
}

std::string MapWords::bar_label(Quantity quantity) const {
  switch (quantity) {
    case Quantity::fraction:
      return fmt::format("share of the disc of {} that is seen", called(stars, chosen));
    case Quantity::irradiance:
      return fmt::format("irradiance, W/{}²", unit.empty() ? "unit" : unit);
    case Quantity::sky:
      return "share of the sky that is open";
    case Quantity::sky_by_cosine:
      return "open sky, weighted by the cosine";
    case Quantity::seen:
      return "share of the targets seen";
    case Quantity::light:
      return "shadows in the light of " + called(stars, chosen);
    case Quantity::flux:
      break;
  }
  return fmt::format("share of the light of {} that arrives", called(stars, chosen));
}

std::string MapWords::stars_shown(std::span<const Quantity> shown) const {
  const auto shows = [&](Quantity quantity) { return std::ranges::find(shown, quantity) != shown.end(); };
  std::string shining = shows(Quantity::irradiance) ? luminous(stars) : "";
  if (!shows(Quantity::fraction) && !shows(Quantity::flux) && !shows(Quantity::light)) return shining;
  const std::string name = called(stars, chosen), text = name + ": " + radius_text(stars[chosen].star, unit);
  return shining.empty() || shining == name ? text : text + "   irradiance from " + shining;
}

}  // namespace sphaera::tool
