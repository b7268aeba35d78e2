#pragma once
/// \file Frames within frames: one frame where that will do, else child frames where spheres crowd that are
/// small beside it.
///
/// A frame of half-size H pushes every box out by ε = 20w·H. That costs nothing as long as ε ≤ r/10, or where
/// small spheres lie far apart; where they crowd, as people on a planet in a solar system do, every ray near
/// them would have them all for candidates. Such a crowd gets a frame of its own, and so on to any depth.
///
/// Planning takes n log n steps, and some passes over the spheres of each frame that is nested in another.
/// Worst are spheres of all sizes about one place, in 45 frames: spread over 1,200 binary orders of
/// magnitude, 7 µs a sphere on one thread where a crowd is built in 1 µs (tests/index/scales.cpp). What is
/// smaller than the smallest frame, 2^-520, is one point to the index: each query near it tests all of it.

#include <cstdint>
#include <index/frames/scene_bounds.hpp>
#include <index/frames/sphere_set.hpp>
#include <vector>

namespace sphaera::index {

/// Which spheres and child frames a frame holds.
struct FramePlan {
  enum class Holds : std::uint8_t { all, listed };

  Frame frame;
  Holds holds = Holds::all;        ///< all spheres of the scene (and no child), or those listed
  std::vector<std::uint32_t> own;  ///< ids, ascending within a cell
  std::vector<FramePlan> children;
};

/// In the calling arena. Not for an empty scene. The same plan for any number of threads.
FramePlan plan_frames(const SphereSet& sphere_set, const SceneBounds& bounds);

}  // namespace sphaera::index
