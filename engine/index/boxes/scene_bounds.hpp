#pragma once
/// \file The bounds of a scene, and the frame that fits it.

#include <index/boxes/frame.hpp>
#include <index/boxes/sphere_set.hpp>

namespace sphaera::index {

struct SceneBounds {
  Vec3 lower{infinity, infinity, infinity},
      upper{-infinity, -infinity, -infinity};  ///< of the volume that the balls sweep, rounded
  double radius_min = infinity, radius_max = 0;
};

inline SceneBounds united(const SceneBounds& a, const SceneBounds& b) {
  return {SphereSet::lesser(a.lower, b.lower), SphereSet::greater(a.upper, b.upper),
          std::min(a.radius_min, b.radius_min), std::max(a.radius_max, b.radius_max)};
}

/// Bounds of one sphere.
inline SceneBounds scene_bounds_of(const SphereSet& sphere_set, std::uint32_t id) {
  const Bounds swept = sphere_set.swept(id, {});
  const double r = sphere_set.spheres[id].radius;
  return {swept.lower, swept.upper, r, r};
}
/// In the calling arena. Precondition: not empty.
SceneBounds scene_bounds_of(const SphereSubset& members);
Frame frame_of(const SphereSubset& members, const SceneBounds& bounds);

}  // namespace sphaera::index
