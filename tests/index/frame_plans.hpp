#pragma once
/// \file Plans of frames for a scene's spheres, and how deep and full they are.

#include <algorithm>
#include <index/scene_index.hpp>
#include <vector>

namespace sphaera::test {

inline index::FramePlan plan_of(const std::vector<Sphere>& spheres) {
  return index::plan_frames({{spheres}}, index::scene_bounds_of({{spheres}}));
}

inline std::size_t depth(const index::FramePlan& plan) {
  std::size_t below = 0;
  for (const auto& child : plan.children) below = std::max(below, depth(child));
  return below + 1;
}

inline std::size_t spheres_in(const index::FramePlan& plan) {
  std::size_t sum = plan.own.size();
  for (const auto& child : plan.children) sum += spheres_in(child);
  return sum;
}

}  // namespace sphaera::test
