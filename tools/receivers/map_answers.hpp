#pragma once
/// \file What a map shows at its receivers: the light of stars, the sky, targets seen.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <sphaera/scene.hpp>
#include <string_view>
#include <tools/receivers/sight_points.hpp>
#include <tools/scene/lighting.hpp>
#include <vector>

namespace sphaera::tool {

/// What a picture shows.
enum class Quantity : std::uint8_t { fraction, flux, light, irradiance, sky, sky_by_cosine, seen };
/// Their words, in the order of Quantity.
inline constexpr std::array<std::string_view, 7> quantity_names{
    "fraction", "flux", "light", "irradiance", "sky", "sky_by_cosine", "seen"};

constexpr bool is_of_stars(Quantity quantity) { return quantity <= Quantity::irradiance; }
/// Has each star a map of its own?
constexpr bool is_of_one_star(Quantity quantity) { return quantity < Quantity::irradiance; }
constexpr bool is_of_sky(Quantity quantity) {
  return quantity == Quantity::sky || quantity == Quantity::sky_by_cosine;
}

/// The answers at a receiver; those that are not asked for are not set.
struct MapAnswer {
  Lit lit;
  SkyShare sky;
  std::uint64_t seen = 0;  ///< number of targets
  double seen_share = 0;   ///< ÷ that of all targets
};

/// What one map shows: perhaps of one of the chosen stars, by its place among them.
struct Shown {
  Quantity quantity;
  std::size_t star = 0;
};

/// The number that a picture shows, ≥ 0; NaN where there is none. Precondition: not Quantity::light.
double value_of(const MapAnswer& answer, const Shown& shown);

/// What is asked about the sky.
struct SkyQuestion {
  SkyOptions options;
  std::optional<Vec3> normal;  ///< of all receivers; empty: each has its own. 0: they see the whole sky
};

/// What is asked at each receiver.
struct MapQuestion {
  std::optional<Lighting> light{};  ///< empty: not asked
  std::optional<SkyQuestion> sky{};
  std::optional<SightPoints> targets{};

  std::vector<MapAnswer> answers(const Scene& scene, std::span<const Receiver> receivers,
                                 const QueryOptions& options) const;
};

}  // namespace sphaera::tool
