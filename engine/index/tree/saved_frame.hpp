#pragma once
/// \file A frame of an index in a file (base/files/saved_scene.hpp).

#include <cstdint>
#include <index/tree/walk_cost.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::index {

struct SavedFrame {
  Vec3 center, half_size;
  double scale, areas;
  WalkCost built;
  std::uint64_t spheres, leaves, nodes;  ///< its own, without those of child frames
  std::uint32_t top_nodes, children;
  std::uint32_t has_equal_boxes, reserved;  ///< 0 or 1; 0
};
static_assert(sizeof(SavedFrame) == 120);

}  // namespace sphaera::index
