#pragma once
/// \file The second index of a scene: a sphere is a primitive of an Embree user geometry, a frame an Embree
/// scene. It finds candidates and decides nothing. It shares the Embree device with engine/index, but no
/// boxes, frames or traversal, so that each can check the other.

#include <embree_index/frame_scene.hpp>
#include <memory>

namespace sphaera::embree_index {

class EmbreeIndex {
 public:
  /// Builds in the calling arena. The spheres, at least one, must outlive the index. Throws Error:
  /// out_of_memory (also beyond control.memory_limit), cancelled. Tests pass a smaller inflation.
  EmbreeIndex(std::span<const Sphere> spheres, const index::BuildControl& control,
              double inflation = Frame::inflation);

  /// Tests the spheres that the path may touch, in no particular order, until a test returns stop.
  void any(const PathWalk& walk) const;
  /// Tests spheres, nearer boxes first, as long as they can be entered by t_limit.
  void nearest_first(const PathWalk& walk) const;
  /// Tests the spheres within walk.margin of the path, roughly in order along the path, until a test returns
  /// stop or t_limit is passed. Throws std::bad_alloc.
  void thick(const PathWalk& walk) const;
  /// Tests the spheres within the search radius, nearer boxes first.
  void around(const PointWalk& walk) const { top_->around(walk); }

  std::uint64_t bytes() const { return device_.bytes() + top_->list_bytes(); }

 private:
  index::Device device_;
  base::LastingContext context_;  // outlives the scenes
  std::unique_ptr<FrameScene> top_;
};

}  // namespace sphaera::embree_index
