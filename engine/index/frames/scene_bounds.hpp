#pragma once
/// \file How large a scene is, and the frame that fits it.

#include <index/frames/frame.hpp>
#include <index/frames/sphere_set.hpp>

namespace sphaera::index {

struct Extent {
  Vec3 lower{infinity, infinity, infinity},
      upper{-infinity, -infinity, -infinity};  ///< of what the balls sweep, rounded
  double radius_min = infinity, radius_max = 0;
};

inline Extent united(const Extent& a, const Extent& b) {
  return {Bodies::lesser(a.lower, b.lower), Bodies::greater(a.upper, b.upper),
          std::min(a.radius_min, b.radius_min), std::max(a.radius_max, b.radius_max)};
}

/// Of one.
inline Extent extent_of(const Bodies& bodies, std::uint32_t id) {
  const Bounds swept = bodies.swept(id, {});
  const double r = bodies.spheres[id].radius;
  return {swept.lower, swept.upper, r, r};
}
/// In the calling arena; not of nothing.
Extent extent_of(const Members& members);
Frame frame_of(const Members& members, const Extent& extent);

}  // namespace sphaera::index
