#pragma once
/// \file The index: frames with their BVHs, one within the other. It finds candidates and decides nothing: a
/// query brings a `visit` function, which is called at least for every packet with a sphere that the path, or
/// ball, touches.

#include <index/level.hpp>

namespace sphaera::index {

class Tree {
 public:
  /// Builds in the calling arena. What `bodies` names must outlive the tree; there is one at least and fewer
  /// than 2^32 − 1.
  Tree(const Bodies& bodies, const FramePlan& plan, const BuildControl& control)
      : device_(control), top_(device_, bodies, plan, {&control}) {}

  /// Visits packets in no order until a visit says stop.
  void any(PathWalk& walk) const { top_.any(walk); }
  void any_impact(FlightWalk& walk) const { top_.any(walk); }
  /// Visits packets, nearer boxes first, as long as their spheres can be entered by t_limit.
  void nearest_first(PathWalk& walk) const { top_.nearest_first(walk); }
  void earliest_first(FlightWalk& walk) const { top_.nearest_first(walk); }
  /// Visits packets within reach, nearer boxes first.
  void around(PointWalk& walk) const { top_.around(walk); }
  /// Visits packets in no order until a visit says stop.
  void in_cone(ConeWalk& walk) const { top_.in_cone(walk); }

  /// Fits the tree to spheres that have moved: see Level::refit.
  void refit(const Reach* reach = nullptr) { top_.refit(reach); }

  const Level& top() const { return top_; }
  std::uint64_t bytes() const { return device_.bytes(); }
  std::uint64_t peak_bytes() const { return device_.peak_bytes(); }

 private:
  Device device_;
  Level top_;
};

}  // namespace sphaera::index
