#pragma once
/// \file Assigns spheres to frames. A frame's boxes are inflated by a fixed share of its size. Small spheres
/// that lie so close together that inflation would cost many tests get frames of their own.

#include <embree_index/embree_frame.hpp>
#include <span>
#include <vector>

namespace sphaera::embree_index {

/// A frame, the spheres that it holds itself, and the frames within it.
struct NestedFrame {
  Frame frame;
  bool holds_all = false;              ///< all spheres of the scene; `spheres` is then empty
  std::vector<std::uint32_t> spheres;  ///< ids
  std::vector<NestedFrame> children;
};

/// Precondition: there is at least one sphere. Runs in the calling arena.
NestedFrame nested_frames(std::span<const Sphere> spheres, double inflation = Frame::inflation);

}  // namespace sphaera::embree_index
