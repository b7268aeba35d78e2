#pragma once
/// \file Expected traversal cost of an index, by which `update` decides to rebuild.

#include <index/scene_index.hpp>

namespace sphaera::query {

/// Cost of walks through an index: the sum of the half-areas of all its boxes, and the half-area of the frame
/// around them.
struct Cost {
  double areas = 0, frame = 0;

  static Cost of(const index::SceneIndex& scene_index) {
    const Vec3& h = scene_index.top().frame().half_size();
    return {scene_index.top().areas(), 4 * (h.x * h.y + h.y * h.z + h.z * h.x)};
  }
  /// The number of boxes that a straight line through the scene meets, on average.
  double boxes() const { return frame > 0 ? areas / frame : 0; }
};

}  // namespace sphaera::query
