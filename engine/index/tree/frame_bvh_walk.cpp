/// \file The walks through one frame's BVH: any hit, nearest first, about a point, through a cone. Each has
/// its own loop over the nodes; a shared loop was slower (../decisions.md).

#include <exact/numbers/dispatch.hpp>
#include <index/tree/flight_in_frame.hpp>
#include <index/tree/frame_bvh.hpp>
#include <index/tree/traversal_stack.hpp>
#include <limits>
#include <type_traits>

namespace sphaera::index {
namespace {

/// The spheres of a leaf block that may have a point within `search_radius` of a walk's point. Bounds their
/// distances, too, unless the walk has a drift or sees moving spheres at another time than 0.
template <class Arithmetic>
SPHAERA_INLINE LaneHits reached_lanes(const LeafBlocks& leaves, std::uint32_t leaf, const LocalPoint& local,
                                      float search_radius, PointWalk& walk) {
  const LeafBlock* const floats = leaves.floats(leaf);
  if (!floats) return {all_lanes, 0, 0};
  if (walk.time != 0) [[unlikely]] {
    if (const LeafVelocities* const velocities = leaves.velocities(leaf))
      return {reached_in_motion<Arithmetic>(*floats, *velocities, local.position, WalkTime(walk.time, 0),
                                            search_radius),
              0, 0};
  }
  LeafLanes square;
  const LaneSet lanes = reached<Arithmetic>(*floats, local.position, search_radius, square);
  if (lanes == 0 || walk.drift > 0) return {lanes, 0, 0};
  const LaneSet within = measure<Arithmetic>(*floats, square, static_cast<float>(local.margin),
                                             inner_radius(local, walk.search_radius), walk.distances);
  walk.distances.unit = 1 / local.scale;
  return {lanes, lanes & within, lanes};
}

/// Walks a child BVH, with the path recomputed in its frame, and restores this frame's path afterwards.
template <class Walk>
bool any_below(Walk& walk, const FrameBvh& below) {
  const LocalRay local = walk.local;
  const bool go_on = below.any(walk);
  walk.local = local;
  return go_on;
}
template <class Walk>
void nearest_first_below(Walk& walk, const FrameBvh& below) {
  const LocalRay local = walk.local;
  below.nearest_first(walk);
  walk.local = local;
}

template <WalkKind kind>
using Kind = std::integral_constant<WalkKind, kind>;

/// Calls use(Kind<kind>()).
template <class Use>
SPHAERA_INLINE auto with_kind(WalkKind kind, const Use& use) {
  switch (kind) {
    case WalkKind::stacked:
      return use(Kind<WalkKind::stacked>());
    case WalkKind::prefetching:
      return use(Kind<WalkKind::prefetching>());
    case WalkKind::plain:
      break;
  }
  return use(Kind<WalkKind::plain>());
}

/// The nodes with which a walk begins: Bvh::top(), unless all spheres are equal.
template <WalkKind kind>
SPHAERA_INLINE std::span<const BvhNode> top_of(const Bvh& bvh) {
  if (kind == WalkKind::stacked && bvh.stack(bvh.root()) != no_sphere) return {};
  return bvh.top();
}

/// An upper bound of a cone's growth within a frame; it exceeds the true growth by far more than roundings.
SPHAERA_INLINE double growth_in(const Frame& frame, const Cone& cone) {
  const Vec3 &d = cone.direction, &half = frame.half_size();
  const double farthest = dot(frame.center() - cone.axis.origin, d) + std::fabs(d.x) * half.x +
                          std::fabs(d.y) * half.y + std::fabs(d.z) * half.z;
  const double margin =
      (1 + 0x1p-30) * std::max(0.0, farthest) * cone.margin() + 0x1p-30 * frame.largest_half_size();
  return cone.sine > 0 ? std::min(margin, cone.axis.t_max * cone.length * cone.sine) : 0;
}

}  // namespace

template <class View, class Walk>
bool FrameBvh::walk_any(Walk& walk) const {
  if (!View::can_filter(frame_, walk)) return visit_all(walk);
  return with_kind(bvh_.walk_kind(), [&]<WalkKind kind>(Kind<kind>) {
    return walk.fused ? walk_any<View, kind>(exact::Fused{}, walk)
                      : walk_any<View, kind>(exact::Plain{}, walk);
  });
}

template <class View, WalkKind kind, class Walk>
SPHAERA_TARGET_FMA bool FrameBvh::walk_any(exact::Fused, Walk& walk) const {
  return any_loop<View, kind, exact::Fused>(walk);
}
template <class View, WalkKind kind, class Walk>
bool FrameBvh::walk_any(exact::Plain, Walk& walk) const {
  return any_loop<View, kind, exact::Plain>(walk);
}

template <class View, WalkKind kind, class Arithmetic, class Walk>
SPHAERA_INLINE bool FrameBvh::any_loop(Walk& walk) const {
  View view;
  if (!view.enter(frame_, walk)) return true;
  TraversalStack stack;
  BvhRef ref = bvh_.root();
  if (const std::span<const BvhNode> top = top_of<kind>(bvh_); !top.empty()) {
    LeafLanes enter[BvhNode::width];
    const TopLanes lanes = entered<Arithmetic>(top, view.node, 1, enter);
    prefetch<kind>(top, lanes);
    stack.push(top, lanes);
    if (stack.empty()) return true;
    ref = stack.pop();
  }
  for (bool go_on = true;;) {
    if (!ref.is_primitive()) {
      const BvhNode& node = bvh_.node(ref);
      LeafLanes enter;
      LaneSet lanes = entered<Arithmetic>(node, view.node, 1, enter);
      if constexpr (kind == WalkKind::stacked) {
        if (const std::uint32_t one = stand_in(walk, ref); one != no_sphere && lanes != 0) {
          lanes = 0, go_on = walk.visit(walk, block_of_one(one), first_lane_only) != TraversalControl::stop;
        } else if (lanes != 0 && bvh_.stack(ref) != no_sphere) {
          ref = stack.push_in_order(node, lanes);
          continue;
        }
      }
      if (lanes != 0) {
        prefetch<kind>(node, lanes);
        ref = stack.push_rest(node, lanes);
        continue;
      }
    } else if (const FrameBvh* below = child(ref.index())) {
      go_on = any_below(walk, *below);
    } else {
      const LaneHits hits = view.template touched<Arithmetic>(leaves_, ref.index(), 1);
      if (hits.maybe != 0) go_on = walk.visit(walk, leaves_.ids(ref.index()), hits) != TraversalControl::stop;
    }
    if (!go_on || stack.empty()) return go_on;
    ref = stack.pop();
  }
}

template <class View, class Walk>
void FrameBvh::walk_nearest_first(Walk& walk) const {
  if (!View::can_filter(frame_, walk)) return void(visit_all(walk));
  with_kind(bvh_.walk_kind(), [&]<WalkKind kind>(Kind<kind>) {
    walk.fused ? walk_nearest_first<View, kind>(exact::Fused{}, walk)
               : walk_nearest_first<View, kind>(exact::Plain{}, walk);
  });
}

template <class View, WalkKind kind, class Walk>
SPHAERA_TARGET_FMA void FrameBvh::walk_nearest_first(exact::Fused, Walk& walk) const {
  nearest_first_loop<View, kind, exact::Fused>(walk);
}
template <class View, WalkKind kind, class Walk>
void FrameBvh::walk_nearest_first(exact::Plain, Walk& walk) const {
  nearest_first_loop<View, kind, exact::Plain>(walk);
}

template <class View, WalkKind kind, class Arithmetic, class Walk>
SPHAERA_INLINE void FrameBvh::nearest_first_loop(Walk& walk) const {
  View view;
  if (!view.enter(frame_, walk)) return;
  float tfar = walk.t_limit < infinity ? limit(walk, 1) : 1;
  constexpr bool stacked = kind == WalkKind::stacked;
  NearestFirstStack stack;
  BvhRef ref = bvh_.root();
  if (const std::span<const BvhNode> top = top_of<kind>(bvh_); !top.empty()) {
    LeafLanes enter[BvhNode::width];
    const TopLanes lanes = entered<Arithmetic>(top, view.node, tfar, enter);
    prefetch<kind>(top, lanes);
    stack.push(top, lanes, enter);
    if (!stack.pop_within(tfar, ref)) return;
  }
  for (;;) {
    if (!ref.is_primitive()) {
      const BvhNode& node = bvh_.node(ref);
      LeafLanes enter;
      LaneSet lanes = entered<Arithmetic>(node, view.node, tfar, enter);
      if constexpr (stacked) {
        if (const std::uint32_t one = stand_in(walk, ref); one != no_sphere && lanes != 0) {
          lanes = 0;
          if (walk.visit(walk, block_of_one(one), first_lane_only) == TraversalControl::limit_reduced)
            tfar = limit(walk, tfar);
        }
      }
      if (lanes != 0) {
        prefetch<kind>(node, lanes);
        ref = stack.push_farther(node, lanes, enter, stacked);
        continue;
      }
    } else if (const FrameBvh* below = child(ref.index())) {
      nearest_first_below(walk, *below);
      if (walk.t_limit < infinity) tfar = limit(walk, tfar);
    } else {
      const LaneHits hits = view.template touched<Arithmetic>(leaves_, ref.index(), tfar, walk.entries);
      if (hits.maybe != 0 &&
          walk.visit(walk, leaves_.ids(ref.index()), hits) == TraversalControl::limit_reduced)
        tfar = limit(walk, tfar);
    }
    if (!stack.pop_within(tfar, ref)) return;
  }
}

bool FrameBvh::any(PathWalk& walk) const { return walk_any<PathView>(walk); }
bool FrameBvh::any(FlightWalk& walk) const { return walk_any<FlightView>(walk); }
void FrameBvh::nearest_first(PathWalk& walk) const { walk_nearest_first<PathView>(walk); }
void FrameBvh::nearest_first(FlightWalk& walk) const { walk_nearest_first<FlightView>(walk); }

template <class Walk>
bool FrameBvh::visit_all(Walk& walk) const {
  for (std::size_t i = 0; i < leaves_.size(); ++i)
    if (walk.visit(walk, leaves_.ids(i), {all_lanes, 0, 0}) == TraversalControl::stop) return false;
  for (const auto& child : children_)
    if (!child->visit_all(walk)) return false;
  return true;
}

void FrameBvh::around(PointWalk& walk) const {
  const std::optional<LocalPoint> local = frame_.local(walk.point);
  if (!local) {  // too far away for float
    if (!visit_all(walk)) walk.search_radius = -infinity;
    return;
  }
  with_kind(bvh_.walk_kind(), [&]<WalkKind kind>(Kind<kind>) { walk_around<kind>(walk, *local); });
}

template <WalkKind kind>
void FrameBvh::walk_around(PointWalk& walk, const LocalPoint& local) const {
  exact::with_arithmetic(walk.fused, [&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    float radius = local.local_radius(walk.search_radius);
    const auto radius_with_drift = [&] {
      return walk.drift > 0 ? local.local_radius(walk.search_radius + walk.drift) : radius;
    };
    const auto obey = [&](TraversalControl control) {
      if (control == TraversalControl::stop) walk.search_radius = -infinity;
      if (control != TraversalControl::go_on) radius = local.local_radius(walk.search_radius);
    };
    // Finite even for an infinite radius: empty lanes are at infinite distance.
    const auto max_square = [&] { return std::min(radius * radius, std::numeric_limits<float>::max()); };
    constexpr bool stacked = kind == WalkKind::stacked;
    NearestFirstStack stack;
    BvhRef ref = bvh_.root();
    for (;;) {
      if (!ref.is_primitive()) {
        const BvhNode& node = bvh_.node(ref);
        LeafLanes squares;
        LaneSet lanes = within<decltype(arithmetic)>(node, local.position, max_square(), squares);
        if constexpr (stacked) {
          if (const std::uint32_t one = stand_in(walk, ref); one != no_sphere && lanes != 0)
            lanes = 0, obey(walk.visit(walk, block_of_one(one), first_lane_only));
        }
        if (lanes != 0) {
          prefetch<kind>(node, lanes);
          ref = stack.push_farther(node, lanes, squares, stacked);
          continue;
        }
      } else if (const FrameBvh* below = child(ref.index())) {
        if (below != walk.skipped_child) below->around(walk);
        radius = local.local_radius(walk.search_radius);
      } else {
        const LaneHits hits =
            reached_lanes<decltype(arithmetic)>(leaves_, ref.index(), local, radius_with_drift(), walk);
        if (hits.maybe != 0) obey(walk.visit(walk, leaves_.ids(ref.index()), hits));
      }
      if (walk.search_radius == -infinity) return;
      if (!stack.pop_within(max_square(), ref)) return;
    }
  });
}

bool FrameBvh::in_cone(ConeWalk& walk) const {
  const Cone& cone = walk.cone;
  if (!(cone.sine <= Cone::widest)) return visit_all(walk);
  bool go_on = true;
  exact::with_arithmetic(walk.fused, [&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    const double margin = growth_in(frame_, cone), m = std::max(1.0, margin * frame_.scale());
    LocalRay axis;
    if (m <= widest_growth && !frame_.clip_grown(cone.axis, margin, axis)) return;
    if (!(m <= widest_growth) || std::isnan(axis.s0)) {
      go_on = visit_all(walk);
      return;
    }
    const LocalCone local(cone, axis, frame_.scale(), m);
    TraversalStack stack;
    BvhRef ref = bvh_.root();
    for (;;) {
      if (!ref.is_primitive()) {
        const BvhNode& node = bvh_.node(ref);
        const LaneSet lanes = touched<decltype(arithmetic)>(node, local);
        if (lanes != 0) {
          ref = stack.push_rest(node, lanes);
          continue;
        }
      } else if (const FrameBvh* below = child(ref.index())) {
        go_on = below->in_cone(walk);
      } else {
        const LeafBlock* floats = leaves_.floats(ref.index());
        const LaneSet lanes = floats ? touched<decltype(arithmetic)>(*floats, local) : all_lanes;
        if (lanes != 0)
          go_on = walk.visit(walk, leaves_.ids(ref.index()), {lanes, 0, 0}) != TraversalControl::stop;
      }
      if (!go_on || stack.empty()) return;
      ref = stack.pop();
    }
  });
  return go_on;
}

}  // namespace sphaera::index
