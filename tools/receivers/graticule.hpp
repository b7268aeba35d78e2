#pragma once
/// \file Longitude and latitude on bodies that may turn.

#include <algorithm>
#include <cstdint>
#include <numbers>
#include <span>
#include <sphaera/scene_file.hpp>

namespace sphaera::tool {

/// Orientation of longitude and latitude. Longitude counts eastwards (counter-clockwise seen from the north).
struct Graticule {
  Vec3 north{0, 0, 1};     ///< towards latitude 90°
  Vec3 meridian{1, 0, 0};  ///< direction of longitude 0; only its component perpendicular to `north` counts
};

using Rotations = std::span<const SceneFile::Rotation>;  ///< rotations of a scene's spheres, ascending by id

/// Orientation of a sphere at the scene's time, by its spin if it has one.
Graticule graticule_of(Rotations rotations, std::size_t sphere);

/// The sphere's item of a list that ascends by sphere, or null.
template <class Item>
const Item* item_of(std::span<const Item> items, std::int64_t sphere) {
  const auto found = std::ranges::lower_bound(items, sphere, {}, &Item::sphere);
  return found != items.end() && found->sphere == sphere ? &*found : nullptr;
}

/// The sphere's rotation, or null.
const SceneFile::Rotation* rotation_of(Rotations rotations, std::size_t sphere);

/// Unit vector of v. Throws Error invalid_argument with this text if v is zero or not finite.
Vec3 unit(const Vec3& v, const char* what);

/// Throws Error invalid_argument, naming the options of `map`, if the directions are zero or parallel.
void check_options(const Graticule& graticule);

inline constexpr double degree = std::numbers::pi / 180;  ///< in radians

/// Directions on the surface of a sphere.
class Uprights {
 public:
  /// Precondition: the directions are not parallel (exact::are_parallel); those of a spin never are.
  explicit Uprights(const Graticule& graticule);

  /// Unit vector up at longitude and latitude in degrees.
  Vec3 at(double longitude, double latitude) const;
  /// The vector of these components: in the plane of the equator, towards a longitude in degrees, and towards
  /// the north.
  Vec3 along(double longitude, double level, double north) const;

 private:
  Vec3 north_, east_, zero_;  ///< `zero_` is the direction of longitude 0 on the equator, `east_` of 90°
};

}  // namespace sphaera::tool
