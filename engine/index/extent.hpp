#pragma once
/// \file How large a scene is, and the frame that fits it.

#include <index/bodies.hpp>
#include <index/frame.hpp>

namespace sphaera::index {

struct Extent {
  Vec3 lower{infinity, infinity, infinity},
      upper{-infinity, -infinity, -infinity};  ///< of what the balls sweep, rounded
  double radius_min = infinity, radius_max = 0;
};

/// In the calling arena; not of nothing.
Extent extent_of(const Members& members);
Frame frame_of(const Members& members, const Extent& extent);

}  // namespace sphaera::index
