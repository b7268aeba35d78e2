#pragma once
/// \file The scene index: nested frames with their BVHs. It finds candidates and decides nothing. A query
/// passes a `visit` function, which is called for at least every leaf block with a sphere that the path, ball
/// or cone touches.

#include <index/frames/neighborhood.hpp>

namespace sphaera::index {

class SceneIndex {
 public:
  /// Builds in the calling arena. The arrays that `sphere_set` refers to must outlive the index. The set has
  /// at least one sphere and fewer than 2^32 − 1.
  SceneIndex(const SphereSet& sphere_set, const FramePlan& plan, const BuildControl& control)
      : device_(control), top_(device_, sphere_set, plan, {&control}), neighborhoods_(top_) {}

  /// Visits leaf blocks in no particular order until a visit returns stop.
  void any(PathWalk& walk) const { walk_any(walk); }
  void any_impact(FlightWalk& walk) const { walk_any(walk); }
  /// Visits leaf blocks, nearer boxes first, as long as their spheres can be entered by t_limit.
  void nearest_first(PathWalk& walk) const { walk_nearest_first(walk); }
  void earliest_first(FlightWalk& walk) const { walk_nearest_first(walk); }
  /// Visits leaf blocks within reach, nearer boxes first.
  void around(PointWalk& walk) const { top_.around(walk); }
  /// Visits leaf blocks in no particular order until a visit returns stop.
  void in_cone(ConeWalk& walk) const { top_.in_cone(walk); }

  /// Prepares paths for `any` and `nearest_first`, each in the smallest frame whose neighborhood contains it.
  void prepare(const PreparedRays::Paths& paths, PreparedRays& prepared) const {
    if (neighborhoods_.empty()) return prepared.make(top_.frame(), paths);
    std::array<const Frame*, PreparedRays::size> frames;
    PreparedRays::Near near;
    for (std::size_t i = 0; i < PreparedRays::size; ++i) {
      near[i] = neighborhoods_.of(paths[i]);
      frames[i] = near[i] ? &near[i]->bvh().frame() : &top_.frame();
    }
    prepared.make(frames, near, paths);
  }

  /// Fits the index to spheres that have moved: see FrameBvh::refit.
  void refit(const BoundsAbout* known = nullptr) {
    top_.refit(known);
    neighborhoods_ = Neighborhoods(top_);
  }

  const FrameBvh& top() const { return top_; }
  const Neighborhoods& neighborhoods() const { return neighborhoods_; }
  std::uint64_t bytes() const { return device_.bytes(); }
  std::uint64_t peak_bytes() const { return device_.peak_bytes(); }

 private:
  template <class Walk>
  void walk_any(Walk& walk) const {
    if (const Neighborhood* const near = neighborhood_of(walk)) return near->any(walk);
    top_.any(walk);
  }
  template <class Walk>
  void walk_nearest_first(Walk& walk) const {
    if (const Neighborhood* const near = neighborhood_of(walk)) return near->nearest_first(walk);
    top_.nearest_first(walk);
  }
  const Neighborhood* neighborhood_of(const PathWalk& walk) const {
    if (neighborhoods_.empty()) return nullptr;
    const auto [paths, i] = walk.prepared;
    return paths ? paths->neighborhood(i) : neighborhoods_.of(walk.path);
  }
  const Neighborhood* neighborhood_of(const FlightWalk& walk) const {
    return neighborhoods_.empty() ? nullptr : neighborhoods_.of(walk.path, walk.margin);
  }

  Device device_;
  FrameBvh top_;
  Neighborhoods neighborhoods_;
};

}  // namespace sphaera::index
