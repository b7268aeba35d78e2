/// \file The walks through one face of a star's index: any hit, in the order of the path, through a cone.

#include <exact/numbers/dispatch.hpp>
#include <index/tree/traversal_stack.hpp>
#include <index/viewpoint/face_bvh.hpp>

namespace sphaera::index {
namespace {

/// A way against nodes: its place, and the bounds of its W.
struct NodeWay {
  LeafLanes u, v, w_low, w_high;

  template <class Arithmetic>
  SPHAERA_INLINE NodeWay(Arithmetic, const ViewpointWay& way) {
    set_all<Arithmetic>(u, way.u);
    set_all<Arithmetic>(v, way.v);
    limit_to<Arithmetic>(way);
  }
  template <class Arithmetic>
  SPHAERA_INLINE void limit_to(const ViewpointWay& way) {
    set_all<Arithmetic>(w_low, way.w_low);
    set_all<Arithmetic>(w_high, way.w_high);
  }
};

/// The boxes that the way meets.
template <class Arithmetic>
SPHAERA_INLINE LaneSet stabbed(const BvhNode& node, const NodeWay& way) {
  const auto& [u, v, w] = node.planes;
  return lanes_of<Arithmetic>((lanes(u[0]) <= way.u) & (lanes(u[1]) >= way.u) & (lanes(v[0]) <= way.v) &
                              (lanes(v[1]) >= way.v) & (lanes(w[0]) <= way.w_high) &
                              (lanes(w[1]) >= way.w_low));
}
template <class Arithmetic>
SPHAERA_INLINE TopLanes stabbed(std::span<const BvhNode> nodes, const NodeWay& way) {
  return top_lanes(nodes,
                   [&](std::size_t i) SPHAERA_INLINE_LAMBDA { return stabbed<Arithmetic>(nodes[i], way); });
}

/// The boxes that a cone may touch, and those of several nodes.
template <class Arithmetic>
SPHAERA_INLINE LaneSet touched(const BvhNode& node, const StarCone& cone) {
  const auto& [u, v, w] = node.planes;
  LeafLanes least;
  set_all<Arithmetic>(least, cone.w_low);
  const LeafMask ahead = lanes(w[1]) >= least;
  if (cone.kind == FaceCone::near_star) return lanes_of<Arithmetic>(ahead);
  LeafLanes at_u, at_v, reach = lanes(w[1]) - least;
  reach = reach > LeafLanes{} ? reach : LeafLanes{};
  reach = reach * (cone.growth * (1 + 16 * 0x1p-24f)) + cone.slack;
  set_all<Arithmetic>(at_u, cone.axis.u);
  set_all<Arithmetic>(at_v, cone.axis.v);
  return lanes_of<Arithmetic>(ahead & (lanes(u[0]) - reach <= at_u) & (lanes(u[1]) + reach >= at_u) &
                              (lanes(v[0]) - reach <= at_v) & (lanes(v[1]) + reach >= at_v));
}

template <class Arithmetic>
SPHAERA_INLINE TopLanes touched(std::span<const BvhNode> nodes, const StarCone& cone) {
  return top_lanes(nodes,
                   [&](std::size_t i) SPHAERA_INLINE_LAMBDA { return touched<Arithmetic>(nodes[i], cone); });
}

/// The distance of each box's near end along the path: W if the path goes towards the star, its inverse if it
/// goes away from it.
template <Heading heading>
SPHAERA_INLINE void put_distances(const BvhNode& node, LeafLanes& distances) {
  if constexpr (heading == Heading::away) {
    distances = 1 / lanes(node.planes[2][1]);
  } else {
    distances = lanes(node.planes[2][0]);
  }
}
/// Boxes with a greater distance lie behind the limit. Inverses are rounded.
template <Heading heading>
SPHAERA_INLINE float last_distance(const ViewpointWay& way) {
  return heading == Heading::away ? (1 + depth_share) / way.w_low : way.w_high;
}

}  // namespace

void FaceBvh::any(PathWalk& walk, const ViewpointWay& way) const {
  exact::with_arithmetic(walk.fused, [&]<class Arithmetic>(Arithmetic arithmetic) SPHAERA_INLINE_LAMBDA {
    const NodeWay node_way(arithmetic, way);
    TraversalStack stack;
    BvhRef ref = bvh_.root();
    if (const std::span<const BvhNode> top = bvh_.top(); !top.empty()) {
      stack.push(top, stabbed<Arithmetic>(top, node_way));
      if (stack.empty()) return;
      ref = stack.pop();
    }
    for (;;) {
      if (!ref.is_primitive()) {
        const BvhNode& node = bvh_.node(ref);
        if (const LaneSet on_way = stabbed<Arithmetic>(node, node_way); on_way != 0) {
          ref = stack.push_rest(node, on_way);
          continue;
        }
      } else {
        const FaceLeaf& leaf = leaves_.span()[ref.index()];
        const LaneHits hits = touched<Arithmetic>(leaf, way, DiscDistances(arithmetic, leaf, way));
        if (hits.maybe != 0 && walk.visit(walk, ids_.span()[ref.index()], hits) == TraversalControl::stop)
          return;
      }
      if (stack.empty()) return;
      ref = stack.pop();
    }
  });
}

template <Heading heading>
void FaceBvh::walk_in_order(PathWalk& walk, ViewpointWay& way) const {
  exact::with_arithmetic(walk.fused, [&]<class Arithmetic>(Arithmetic arithmetic) SPHAERA_INLINE_LAMBDA {
    NodeWay node_way(arithmetic, way);
    float last = last_distance<heading>(way);
    NearestFirstStack stack;
    BvhRef ref = bvh_.root();
    if (const std::span<const BvhNode> top = bvh_.top(); !top.empty()) {
      LeafLanes distances[BvhNode::width];
      for (std::size_t i = 0; i < top.size(); ++i) put_distances<heading>(top[i], distances[i]);
      stack.push(top, stabbed<Arithmetic>(top, node_way), distances);
      if (!stack.pop_within(last, ref)) return;
    }
    for (;;) {
      if (!ref.is_primitive()) {
        const BvhNode& node = bvh_.node(ref);
        if (const LaneSet on_way = stabbed<Arithmetic>(node, node_way); on_way != 0) {
          LeafLanes distances;
          put_distances<heading>(node, distances);
          ref = stack.push_farther(node, on_way, distances);
          continue;
        }
      } else {
        const FaceLeaf& leaf = leaves_.span()[ref.index()];
        const DiscDistances seen(arithmetic, leaf, way);
        LaneHits hits = touched<Arithmetic>(leaf, way, seen);
        if (hits.surely != 0) {
          hits.bounded = hits.surely;
          put_entries<Arithmetic>(leaf, way, seen, walk.entries);
        }
        if (hits.maybe != 0 &&
            walk.visit(walk, ids_.span()[ref.index()], hits) == TraversalControl::limit_reduced) {
          way.limit_to(walk.t_limit);
          node_way.template limit_to<Arithmetic>(way);
          last = last_distance<heading>(way);
        }
      }
      if (!stack.pop_within(last, ref)) return;
    }
  });
}

bool FaceBvh::in_cone(ConeWalk& walk, const StarCone& cone) const {
  bool go_on = true;
  exact::with_arithmetic(walk.fused, [&]<class Arithmetic>(Arithmetic) SPHAERA_INLINE_LAMBDA {
    TraversalStack stack;
    BvhRef ref = bvh_.root();
    if (const std::span<const BvhNode> top = bvh_.top(); !top.empty()) {
      stack.push(top, touched<Arithmetic>(top, cone));
      if (stack.empty()) return;
      ref = stack.pop();
    }
    for (;;) {
      if (!ref.is_primitive()) {
        const BvhNode& node = bvh_.node(ref);
        if (const LaneSet reached = touched<Arithmetic>(node, cone); reached != 0) {
          ref = stack.push_rest(node, reached);
          continue;
        }
      } else {
        const LaneSet reached = touched<Arithmetic>(leaves_.span()[ref.index()], cone);
        if (reached != 0)
          go_on = walk.visit(walk, ids_.span()[ref.index()], {reached, 0, 0}) != TraversalControl::stop;
      }
      if (!go_on || stack.empty()) return;
      ref = stack.pop();
    }
  });
  return go_on;
}

void FaceBvh::in_order(PathWalk& walk, ViewpointWay& way) const {
  const double first = way.first_t();
  walk.local.set_span(first, first + way.t_gain());
  way.heading == Heading::away ? walk_in_order<Heading::away>(walk, way)
                               : walk_in_order<Heading::towards>(walk, way);
}

}  // namespace sphaera::index
