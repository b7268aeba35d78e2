/// \file The walks through one frame's BVH: along a path until something is found, along it in order, about a
/// point, through a cone. Each writes out its loop down the nodes: a shared one was slower (decisions.md).

#include <exact/numbers/dispatch.hpp>
#include <index/layout/frame_bvh.hpp>
#include <index/walk/traversal_stack.hpp>
#include <limits>
#include <utility>

namespace sphaera::index {
namespace {

/// tfar, cut to where t_limit lies.
SPHAERA_INLINE float limit(const PathWalk& walk, float tfar) {
  const float at_limit = walk.local.up_to(walk.t_limit);
  return at_limit < tfar ? at_limit : tfar;  // NaN: unknown
}

/// A path as the nodes and packets of a level see it.
class PathView {
 public:
  /// Of the part of the walk's path in the frame; false: it misses.
  SPHAERA_INLINE bool look(const Frame& frame, PathWalk& walk) {
    const auto [paths, i] = std::exchange(walk.ready, {});
    if (paths && paths->is_known(i)) {
      if (paths->misses(i)) return false;
      paths->put_span(i, walk.local);
      paths->put(i, node, packet_);
      return true;
    }
    if (!frame.clip(walk.path, walk.local)) return false;
    node = NodeRay(walk.local), packet_ = PacketRay(walk.local);
    return true;
  }
  /// Do the floats decide anything? Else all spheres are candidates.
  static constexpr bool can_filter(const Frame&, const PathWalk&) { return true; }

  /// The spheres of a packet that the path may touch up to τ = tfar; all where there are no floats.
  template <class Arithmetic>
  SPHAERA_INLINE Touch touched(const Packets& packets, std::uint32_t packet, float tfar) const {
    const PacketFloats* floats = packets.floats(packet);
    if (!floats) return {all_lanes, 0, 0};
    return index::touched<Arithmetic>(*floats, packet_, Approach(Arithmetic{}, *floats, packet_, tfar));
  }
  /// The same, and when it enters those of which that is known.
  template <class Arithmetic>
  SPHAERA_INLINE Touch touched(const Packets& packets, std::uint32_t packet, float tfar,
                               PacketEntries& entries) const {
    const PacketFloats* floats = packets.floats(packet);
    if (!floats) return {all_lanes, 0, 0};
    const Approach closest(Arithmetic{}, *floats, packet_, tfar);
    Touch touch = index::touched<Arithmetic>(*floats, packet_, closest);
    if (touch.surely != 0)
      touch.timed = touch.surely & timed<Arithmetic>(*floats, packet_, closest, tfar, entries);
    return touch;
  }

  NodeRay node;

 private:
  PacketRay packet_;
};

/// Of a cone or a bullet within a frame, in scaled units: beyond it the slack is the frame's size.
constexpr double widest_growth = 0x1p17;

/// The way of a bullet, among spheres that may move.
class FlightView {
 public:
  SPHAERA_INLINE bool look(const Frame& frame, FlightWalk& walk) {
    if (!frame.clip_grown(walk.path, walk.growth, walk.local)) return false;
    const double growth = walk.growth * frame.scale();
    node = ThickNodeRay(walk.local, growth), packet_ = PacketRay(walk.local);
    growth_ = ThickNodeRay::grown(growth);
    time_known_ = packet_.within_limits;
    time_ = WalkTime(walk.start + walk.local.s0, walk.local.length);
    return true;
  }
  static bool can_filter(const Frame& frame, const FlightWalk& walk) {
    return walk.growth * frame.scale() <= widest_growth;
  }

  template <class Arithmetic>
  SPHAERA_INLINE Touch touched(const Packets& packets, std::uint32_t packet, float tfar) const {
    const PacketFloats* floats = packets.floats(packet);
    if (!floats) return {all_lanes, 0, 0};
    const PacketVelocities* velocities = packets.velocities(packet);
    if (!velocities) {
      const float slack = growth_ + packet_slack * (1 + growth_);
      const Approach closest(Arithmetic{}, *floats, packet_, tfar);
      return {index::touched<Arithmetic>(*floats, packet_, closest, slack).maybe, 0, 0};
    }
    if (!time_known_) return {all_lanes, 0, 0};
    return {touched_in_motion<Arithmetic>(*floats, *velocities, packet_, time_, tfar, growth_), 0, 0};
  }
  template <class Arithmetic>
  SPHAERA_INLINE Touch touched(const Packets& packets, std::uint32_t packet, float tfar,
                               PacketEntries&) const {
    return touched<Arithmetic>(packets, packet, tfar);
  }

  ThickNodeRay node;

 private:
  PacketRay packet_;
  float growth_;
  bool time_known_;
  WalkTime time_;
};

/// Walks on with the path re-based in the level below, and then again in this one.
template <class Walk>
bool any_below(Walk& walk, const Level& below) {
  const LocalRay local = walk.local;
  const bool go_on = below.any(walk);
  walk.local = local;
  return go_on;
}
template <class Walk>
void nearest_first_below(Walk& walk, const Level& below) {
  const LocalRay local = walk.local;
  below.nearest_first(walk);
  walk.local = local;
}

/// How much a cone grows within a frame, at the most; more than it really does by far more than roundings.
SPHAERA_INLINE double growth_in(const Frame& frame, const Cone& cone) {
  const Vec3 &d = cone.direction, &half = frame.half_size();
  const double farthest = dot(frame.center() - cone.axis.origin, d) + std::fabs(d.x) * half.x +
                          std::fabs(d.y) * half.y + std::fabs(d.z) * half.z;
  const double growth =
      (1 + 0x1p-30) * std::max(0.0, farthest) * cone.growth() + 0x1p-30 * frame.largest_half_size();
  return cone.sine > 0 ? std::min(growth, cone.axis.t_max * cone.length * cone.sine) : 0;
}

}  // namespace

template <class View, class Walk>
bool Level::walk_any(Walk& walk) const {
  if (!View::can_filter(frame_, walk)) return visit_all(walk);
  bool go_on = true;
  exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    View view;
    if (!view.look(frame_, walk)) return;
    Pending pending;
    BvhRef ref = bvh_.root();
    if (const std::span<const BvhNode> top = bvh_.top(); !top.empty()) {
      PacketLanes enter[BvhNode::width];
      pending.push(top, entered<decltype(arithmetic)>(top, view.node, 1, enter));
      if (pending.empty()) return;
      ref = pending.pop();
    }
    for (;;) {
      if (!ref.is_primitive()) {
        const BvhNode& node = bvh_.node(ref);
        PacketLanes enter;
        const LaneSet lanes = entered<decltype(arithmetic)>(node, view.node, 1, enter);
        if (lanes != 0) {
          ref = pending.push_rest(node, lanes);
          continue;
        }
      } else if (const Level* below = child(ref.index())) {
        go_on = any_below(walk, *below);
      } else {
        const Touch touch = view.template touched<decltype(arithmetic)>(packets_, ref.index(), 1);
        if (touch.maybe != 0) go_on = walk.visit(walk, packets_.ids(ref.index()), touch) != Next::stop;
      }
      if (!go_on || pending.empty()) return;
      ref = pending.pop();
    }
  });
  return go_on;
}

template <class View, class Walk>
void Level::walk_nearest_first(Walk& walk) const {
  if (!View::can_filter(frame_, walk)) return void(visit_all(walk));
  exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    View view;
    if (!view.look(frame_, walk)) return;
    float tfar = walk.t_limit < infinity ? limit(walk, 1) : 1;
    PendingByDistance pending;
    BvhRef ref = bvh_.root();
    if (const std::span<const BvhNode> top = bvh_.top(); !top.empty()) {
      PacketLanes enter[BvhNode::width];
      pending.push(top, entered<decltype(arithmetic)>(top, view.node, tfar, enter), enter);
      if (pending.empty()) return;
      pending.pop();
      ref = pending.ref();
    }
    for (;;) {
      if (!ref.is_primitive()) {
        const BvhNode& node = bvh_.node(ref);
        PacketLanes enter;
        const LaneSet lanes = entered<decltype(arithmetic)>(node, view.node, tfar, enter);
        if (lanes != 0) {
          ref = pending.push_farther(node, lanes, enter);
          continue;
        }
      } else if (const Level* below = child(ref.index())) {
        nearest_first_below(walk, *below);
        if (walk.t_limit < infinity) tfar = limit(walk, tfar);
      } else {
        const Touch touch =
            view.template touched<decltype(arithmetic)>(packets_, ref.index(), tfar, walk.entries);
        if (touch.maybe != 0 && walk.visit(walk, packets_.ids(ref.index()), touch) == Next::shrunk)
          tfar = limit(walk, tfar);
      }
      do {
        if (pending.empty()) return;
        pending.pop();
      } while (!(pending.distance() <= tfar));
      ref = pending.ref();
    }
  });
}

bool Level::any(PathWalk& walk) const { return walk_any<PathView>(walk); }
bool Level::any(FlightWalk& walk) const { return walk_any<FlightView>(walk); }
void Level::nearest_first(PathWalk& walk) const { walk_nearest_first<PathView>(walk); }
void Level::nearest_first(FlightWalk& walk) const { walk_nearest_first<FlightView>(walk); }

template <class Walk>
bool Level::visit_all(Walk& walk) const {
  for (std::size_t i = 0; i < packets_.size(); ++i)
    if (walk.visit(walk, packets_.ids(i), {all_lanes, 0, 0}) == Next::stop) return false;
  for (const auto& child : children_)
    if (!child->visit_all(walk)) return false;
  return true;
}

void Level::around(PointWalk& walk) const {
  const std::optional<LocalPoint> local = frame_.local(walk.point);
  if (!local) {  // too far away for float
    if (!visit_all(walk)) walk.reach = -infinity;
    return;
  }
  exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    float radius = local->reach(walk.reach);
    const auto drifted = [&] { return walk.drift > 0 ? local->reach(walk.reach + walk.drift) : radius; };
    // Finite even for an infinite radius: lanes without a child are infinitely far.
    const auto square = [&] { return std::min(radius * radius, std::numeric_limits<float>::max()); };
    PendingByDistance pending;
    BvhRef ref = bvh_.root();
    for (;;) {
      if (!ref.is_primitive()) {
        const BvhNode& node = bvh_.node(ref);
        PacketLanes distance;
        const LaneSet lanes = within<decltype(arithmetic)>(node, local->position, square(), distance);
        if (lanes != 0) {
          ref = pending.push_farther(node, lanes, distance);
          continue;
        }
      } else if (const Level* below = child(ref.index())) {
        if (below != walk.except) below->around(walk);
        radius = local->reach(walk.reach);
      } else {
        const PacketFloats* floats = packets_.floats(ref.index());
        const LaneSet lanes =
            floats ? reached<decltype(arithmetic)>(*floats, local->position, drifted()) : all_lanes;
        const Next said =
            lanes == 0 ? Next::go_on : walk.visit(walk, packets_.ids(ref.index()), {lanes, 0, 0});
        if (said == Next::stop) walk.reach = -infinity;
        if (said != Next::go_on) radius = local->reach(walk.reach);
      }
      if (walk.reach == -infinity) return;
      do {
        if (pending.empty()) return;
        pending.pop();
      } while (!(pending.distance() <= square()));
      ref = pending.ref();
    }
  });
}

bool Level::in_cone(ConeWalk& walk) const {
  const Cone& cone = walk.cone;
  if (!(cone.sine <= Cone::widest)) return visit_all(walk);
  bool go_on = true;
  exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    const double growth = growth_in(frame_, cone), m = std::max(1.0, growth * frame_.scale());
    LocalRay axis;
    if (m <= widest_growth && !frame_.clip_grown(cone.axis, growth, axis)) return;
    if (!(m <= widest_growth) || std::isnan(axis.s0)) {
      go_on = visit_all(walk);
      return;
    }
    const LocalCone local(cone, axis, frame_.scale(), m);
    Pending pending;
    BvhRef ref = bvh_.root();
    for (;;) {
      if (!ref.is_primitive()) {
        const BvhNode& node = bvh_.node(ref);
        const LaneSet lanes = touched<decltype(arithmetic)>(node, local);
        if (lanes != 0) {
          ref = pending.push_rest(node, lanes);
          continue;
        }
      } else if (const Level* below = child(ref.index())) {
        go_on = below->in_cone(walk);
      } else {
        const PacketFloats* floats = packets_.floats(ref.index());
        const LaneSet lanes = floats ? touched<decltype(arithmetic)>(*floats, local) : all_lanes;
        if (lanes != 0) go_on = walk.visit(walk, packets_.ids(ref.index()), {lanes, 0, 0}) != Next::stop;
      }
      if (!go_on || pending.empty()) return;
      ref = pending.pop();
    }
  });
  return go_on;
}

}  // namespace sphaera::index
