#pragma once
/// \file One frame with its BVH, whose primitives are packets of spheres and, where frames nest, the levels
/// below. A level within a level is walked with the path re-based in it.

#include <index/build/binary_tree.hpp>
#include <index/frames/bounds_about.hpp>
#include <index/frames/nesting.hpp>
#include <index/layout/leaf_blocks.hpp>
#include <index/walk/walk.hpp>
#include <memory>
#include <vector>

namespace sphaera::index {

class Level {
 public:
  /// In the calling arena. What `bodies` names must outlive the level.
  Level(Device& device, const Bodies& bodies, const FramePlan& plan, const BuildPhase& phase);
  Level(const Level&) = delete;

  /// Visits packets in no order until a visit says stop; then false.
  bool any(PathWalk& walk) const;
  bool any(FlightWalk& walk) const;
  /// Visits packets, nearer boxes first, as long as their spheres can be entered by t_limit.
  void nearest_first(PathWalk& walk) const;
  void nearest_first(FlightWalk& walk) const;
  /// Visits packets within reach, nearer boxes first.
  void around(PointWalk& walk) const;
  /// Visits packets in no order until a visit says stop; then false.
  bool in_cone(ConeWalk& walk) const;

  /// Fits the level and those below it to spheres that have moved, in the calling arena, in the proofs'
  /// floating-point mode. `reach`: of the spheres of a level that holds them all, about its frame's centre,
  /// if it is known already. Takes no memory.
  void refit(const Reach* reach = nullptr);
  /// The half-areas of all boxes of this level and those below, in the scene's unit squared.
  double areas() const;

  const Bodies& bodies() const { return bodies_; }
  const Frame& frame() const { return frame_; }
  std::size_t spheres() const { return packets_.spheres(); }
  std::span<const std::unique_ptr<Level>> children() const { return children_; }

 private:
  /// The level below that a primitive is; null for a packet.
  const Level* child(std::size_t primitive) const {
    return primitive < packets_.size() ? nullptr : children_[primitive - packets_.size()].get();
  }
  template <class View, class Walk>
  bool walk_any(Walk& walk) const;
  template <class View, class Walk>
  void walk_nearest_first(Walk& walk) const;
  /// Visits all packets until a visit says stop; then false.
  template <class Walk>
  bool visit_all(Walk& walk) const;

  void build_children(Device& device, std::span<const FramePlan> plans, const BuildPhase& phase);
  /// Makes the nodes; returns the ids of the packets.
  base::HugeArray<PacketIds> build(Device& device, const Members& members, const BuildPhase& phase);
  Part part(std::size_t child) const;
  Reach reach(const Vec3& about) const;
  /// Makes floats and boxes.
  void fit();
  LocalBox refitted_box(std::size_t primitive);

  Bodies bodies_;
  Frame frame_;
  Packets packets_;
  std::vector<std::unique_ptr<Level>> children_;
  Bvh bvh_;
  double areas_ = 0;  // of this level, in scaled units
};

}  // namespace sphaera::index
