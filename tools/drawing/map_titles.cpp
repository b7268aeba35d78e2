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

std::string MapWords::title(const Shown& shown) const {
  switch (shown.quantity) {
    case Quantity::fraction:
      return fmt::format("Share of the disc of {} that is seen {}", called(stars, chosen[shown.star]), where);
    case Quantity::flux:
      return fmt::format("Share of the light of {} that arrives {}", called(stars, chosen[shown.star]),
                         where);
    case Quantity::light:
      return fmt::format("Shadows in the light of {} {}", called(stars, chosen[shown.star]), where);
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

std::string MapWords::bar_label(const Shown& shown) const {
  switch (shown.quantity) {
    case Quantity::fraction:
      return fmt::format("share of the disc of {} that is seen", called(stars, chosen[shown.star]));
    case Quantity::irradiance:
      return fmt::format("irradiance, W/{}²", unit.empty() ? "unit" : unit);
    case Quantity::sky:
      return "share of the sky that is open";
    case Quantity::sky_by_cosine:
      return "open sky, weighted by the cosine";
    case Quantity::seen:
      return "share of the targets seen";
    case Quantity::light:
      return "shadows in the light of " + called(stars, chosen[shown.star]);
    case Quantity::flux:
      break;
  }
  return fmt::format("share of the light of {} that arrives", called(stars, chosen[shown.star]));
}

std::string MapWords::stars_shown(std::span<const Quantity> shown) const {
  std::string shining = std::ranges::find(shown, Quantity::irradiance) != shown.end() ? luminous(stars) : "";
  if (std::ranges::none_of(shown, is_of_one_star)) return shining;
  constexpr const char* gap = "   ";
  std::string text, name;
  for (const std::size_t star : chosen) {
    name = called(stars, star);
    text += (text.empty() ? "" : gap) + name + ": " + radius_text(stars[star].star, unit);
  }
  const bool same = chosen.size() == 1 && shining == name;
  return shining.empty() || same ? text : text + gap + "irradiance from " + shining;
}

}  // namespace sphaera::tool
