#pragma once
/// \file Expected cost of walks through the BVH of a frame.

#include <algorithm>
#include <sphaera/sphere.hpp>

namespace sphaera::index {

/// The sum of the half-areas of all boxes, and the half-area of the frame around them.
struct WalkCost {
  double areas = 0, frame = 0;

  static WalkCost of(double areas, const Vec3& half_size) {
    const Vec3& h = half_size;
    return {areas, 4 * (h.x * h.y + h.y * h.z + h.z * h.x)};
  }
  /// The number of boxes that a straight line through the frame meets, on average.
  double boxes() const { return frame > 0 ? areas / frame : 0; }
  /// This cost divided by that at build time. The ratio of boxes() is for a line through the whole frame: it
  /// shows degradation where the frame has kept its size or shrunk. The ratio of areas is for a line through
  /// one place: it shows that a sphere has moved far away, which enlarges the frame and, by the frame's
  /// inflation, all boxes.
  double degradation_since(const WalkCost& built) const {
    if (!(built.areas > 0)) return 1;
    return std::max(areas / built.areas, boxes() / built.boxes());
  }
};

}  // namespace sphaera::index
