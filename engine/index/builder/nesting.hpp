#pragma once
/// \file Nested frames: one frame where that is enough, else child frames for crowds of spheres that are
/// small compared with the frame.
///
/// A frame of half-size H pads every box by ε = 20w·H. That costs nothing while ε ≤ r/10, or where small
/// spheres lie far apart. Where they crowd, such as people on a planet in a solar system, every ray near them
/// would have all of them as candidates. Such a crowd gets its own frame, to any depth.
///
/// Planning takes n log n steps, plus some passes over the spheres of each nested frame. The worst case is
/// spheres of all sizes about one place, in 45 frames: spread over 1,200 binary orders of magnitude they take
/// 7 µs per sphere on one thread, where a crowd is built in 1 µs (tests/index/scales_test.cpp). Details
/// smaller than the smallest frame, 2^-520, are one point to the index: each query near it tests all of its
/// spheres.

#include <cstdint>
#include <index/boxes/scene_bounds.hpp>
#include <index/boxes/sphere_set.hpp>
#include <vector>

namespace sphaera::index {

/// The spheres and child frames of a frame.
struct FramePlan {
  enum class Holds : std::uint8_t { all, listed };

  Frame frame;
  Holds holds = Holds::all;        ///< all ids of the scene (and no child), or those listed
  std::vector<std::uint32_t> own;  ///< ids, ascending within a cell
  std::vector<FramePlan> children;
};

/// Runs in the calling arena. Precondition: `members` is not empty. The plan is the same for any number of
/// threads.
FramePlan plan_frames(const SphereSubset& members, const SceneBounds& bounds);

}  // namespace sphaera::index
