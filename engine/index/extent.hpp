#pragma once
/// \file How large a scene is, and the frame that fits it.

#include <index/frame.hpp>
#include <span>

namespace sphaera::index {

struct Extent {
  Vec3 lower{infinity, infinity, infinity},
      upper{-infinity, -infinity, -infinity};  ///< of the balls, rounded
  double radius_min = infinity, radius_max = 0;
};

/// In the calling arena; not for an empty scene.
Extent extent_of(std::span<const Sphere> spheres);
Frame frame_of(std::span<const Sphere> spheres, const Extent& extent);

}  // namespace sphaera::index
