#pragma once
/// \file One frame with its BVH: Embree user geometry whose primitives are packets of spheres and, where
/// frames nest, the levels below. A level within a level is walked from its callback, with the path re-based
/// in it.

#include <bit>
#include <index/device.hpp>
#include <index/nesting.hpp>
#include <index/packets.hpp>
#include <index/walk.hpp>
#include <memory>
#include <span>
#include <vector>

namespace sphaera::index {

class Level {
 public:
  /// In the calling arena. `spheres` must outlive the level.
  Level(Device& device, std::span<const Sphere> spheres, const FramePlan& plan, const BuildPhase& phase);
  Level(const Level&) = delete;

  /// Visits leaves in no order until a visit says stop; then false.
  SPHAERA_INLINE bool any(PathWalk& walk) const {
    RTCRay ray;
    if (!frame_.clip(walk.path, walk.local)) return true;
    if (!scene_) return any_directly(walk);
    occluded1(scene_.get(), start(walk, ray, 1), walk);
    return ray.tfar >= 0;
  }
  /// Visits leaves, nearer boxes first, as long as their spheres can be entered by t_limit.
  SPHAERA_INLINE void nearest_first(PathWalk& walk) const {
    RTCRayHit ray;
    if (!frame_.clip(walk.path, walk.local)) return;
    if (!scene_) return nearest_directly(walk);
    start(walk, ray.ray, walk.t_limit < infinity ? limit(walk, 1) : 1);
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    intersect1(scene_.get(), ray, walk);
  }
  /// Visits leaves within reach, nearer boxes first.
  void around(PointWalk& walk) const;

  const Frame& frame() const { return frame_; }
  std::size_t spheres() const { return packets_.spheres(); }
  std::span<const std::unique_ptr<const Level>> children() const { return children_; }

 private:
  SPHAERA_INLINE static RTCRay& start(PathWalk& walk, RTCRay& ray, float tfar) {
    walk.ray = PacketRay(walk.local);
    std::memcpy(&ray.org_x, &walk.local.origin, sizeof walk.local.origin);        // and tnear = 0
    std::memcpy(&ray.dir_x, &walk.local.direction, sizeof walk.local.direction);  // and time = 0
    ray.tfar = tfar, ray.mask = ~0u, ray.id = 0, ray.flags = 0;
    return ray;
  }
  /// tfar, cut to where t_limit lies.
  static float limit(const PathWalk& walk, float tfar) {
    const float at_limit = walk.local.up_to(walk.t_limit);
    return at_limit < tfar ? at_limit : tfar;  // NaN: cannot be told
  }

  Leaf leaf(std::size_t packet) const { return {packets_.ids(packet), packets_.floats(packet)}; }
  /// The level below that a primitive is; null for a packet.
  const Level* child(std::size_t primitive) const {
    return primitive < packets_.size() ? nullptr : children_[primitive - packets_.size()].get();
  }
  /// The level below in the first of `lanes` of a packet of them.
  const Level& below(std::size_t packet, LaneSet lanes) const {
    return *children_[packet * packet_size + static_cast<std::size_t>(std::countr_zero(lanes))];
  }
  LocalBox box(std::size_t primitive) const;
  bool any_directly(PathWalk& walk) const;
  void nearest_directly(PathWalk& walk) const;
  void around_directly(PointWalk& walk) const;
  bool any_below(PathWalk& walk) const;
  void nearest_first_below(PathWalk& walk) const;
  void around_below(PointWalk& walk) const;
  Next visit_all(PointWalk& walk) const;

  void build_children(Device& device, std::span<const FramePlan> plans, const BuildPhase& phase);
  void pack_children();
  void build_scene(Device& device, const BuildPhase& phase);
  static void on_bounds(const RTCBoundsFunctionArguments* arguments);
  static void on_intersect(const RTCIntersectFunctionNArguments* arguments);
  static void on_occluded(const RTCOccludedFunctionNArguments* arguments);
  static bool on_point(RTCPointQueryFunctionArguments* arguments);

  std::span<const Sphere> spheres_;
  Frame frame_;
  Packets packets_;
  std::vector<std::unique_ptr<const Level>> children_;
  std::vector<PacketFloats> child_balls_;  ///< around the levels below, eight a packet, where there is no BVH
  SceneHandle scene_;                      ///< null: few primitives, walked one after the other
};

}  // namespace sphaera::index
