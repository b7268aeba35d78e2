#include <index/tree/path_group.hpp>

#include <algorithm>
#include <bit>
#include <exact/numbers/dispatch.hpp>
#include <index/boxes/lanes.hpp>
#include <index/tree/frame_bvh.hpp>
#include <limits>

namespace sphaera::index {
namespace {

using IntLanes = std::int32_t __attribute__((vector_size(sizeof(LeafLanes)), may_alias));

/// The lanes of a set as a mask.
SPHAERA_INLINE void set_mask(IntLanes& mask, LaneSet set) {
  constexpr IntLanes bit{1, 2, 4, 8, 16, 32, 64, 128};
  mask = ((IntLanes{} + static_cast<std::int32_t>(set)) & bit) == bit;
}

/// The lane of a set that is entered first, and its entry without the last three bits: a lower bound. Entries
/// are ≥ 0, so that their bits sort like integers; the last three make room for the lane's number.
struct Nearest {
  std::uint32_t lane;
  std::int32_t distance_bits;

  SPHAERA_INLINE Nearest(LaneSet set, const LeafLanes& enter) {
    constexpr std::int32_t lane_bits = 7;
    constexpr IntLanes numbers{0, 1, 2, 3, 4, 5, 6, 7};
    IntLanes key, in;
    std::memcpy(&key, &enter, sizeof key);
    key = (key & ~lane_bits) | numbers;
    set_mask(in, set);
    key = in ? key : IntLanes{} + std::numeric_limits<std::int32_t>::max();
    spread_least(key);
    const std::int32_t least = key[0];
    lane = static_cast<std::uint32_t>(least & lane_bits);
    distance_bits = least & ~lane_bits;
  }
};

SPHAERA_INLINE std::uint32_t count_of(LaneSet set) { return static_cast<std::uint32_t>(std::popcount(set)); }

}  // namespace

/// Puts the nodes among a node's children on the path's stack. `any` pops the first lane first,
/// `nearest_first` the nearest; the order of the others matters little.
template <class View, class Walk>
template <class Arithmetic, VisitOrder order>
SPHAERA_INLINE void WalkTogether<View, Walk>::push(std::uint32_t path, const BvhNode& node, LaneSet nodes,
                                                   const LeafLanes& enter) {
  Member& member = members_[path];
  Stack& stack = stacks_[path];
  BvhRef* const refs = stack.refs.data() + member.pending;
  const std::uint32_t count = count_of(nodes);
  LeafLanes children;
  std::memcpy(&children, &node.children, sizeof children);
  if constexpr (order == VisitOrder::any) {
    write_lanes<Arithmetic>(refs, children, lane_lists.descending[nodes]);
  } else {
    const Nearest nearest(nodes, enter);
    const LaneSet others = nodes & ~(LaneSet{1} << nearest.lane);
    float* const distances = stack.distances.data() + member.pending;
    write_lanes<Arithmetic>(refs, children, lane_lists.descending[others]);
    write_lanes<Arithmetic>(distances, enter, lane_lists.descending[others]);
    // With count 0, the nearest is written above the end of the stack.
    const std::uint32_t top = count - static_cast<std::uint32_t>(count != 0);
    refs[top] = node.children[nearest.lane];
    std::memcpy(distances + top, &nearest.distance_bits, sizeof nearest.distance_bits);
  }
  member.pending += count;
}

/// Visits the sphere that stands for all those of a stack; false if it does not, so that the node is to be
/// tested.
template <class View, class Walk>
template <class Arithmetic, VisitOrder order>
SPHAERA_INLINE bool WalkTogether<View, Walk>::visit_stand_in(std::uint32_t path, std::uint32_t id) {
  Walk& walk = *walks_[path];
  Member& member = members_[path];
  if (id == no_sphere || !walk.stands_for_equals || !walk.stands_for_equals(walk, id)) return false;
  const TraversalControl control = walk.visit(walk, block_of_one(id), first_lane_only);
  if (control == TraversalControl::stop) member.tfar = stopped, member.pending = 0;
  if constexpr (order == VisitOrder::nearest_first) {
    if (control == TraversalControl::limit_reduced) {
      member.tfar = limit(walk, member.tfar);
      drop_farther<Arithmetic>(path);
    }
  }
  return true;
}

template <class View, class Walk>
template <class Arithmetic, VisitOrder order, bool stacked, class NodeOf>
SPHAERA_INLINE void WalkTogether<View, Walk>::test_nodes(const Bvh& bvh, const NodeOf& node_of) {
  std::uint32_t reached = 0;
  for (std::uint32_t k = 0; k < walking_; ++k) {
    const std::uint32_t path = walking_list_[k];
    Member& member = members_[path];
    const BvhRef ref = stacks_[path].refs[--member.pending];
    if constexpr (stacked)
      if (visit_stand_in<Arithmetic, order>(path, bvh.stack(ref))) continue;
    const BvhNode& node = *node_of(ref);
    LeafLanes enter;
    const LaneSet lanes = entered<Arithmetic>(node, member.view.node, member.tfar, enter);
    IntLanes refs;
    std::memcpy(&refs, &node.children, sizeof refs);
    const LaneSet primitives = lanes_of<Arithmetic>(refs < IntLanes{}), leaves = lanes & primitives;
    push<Arithmetic, order>(path, node, lanes & ~primitives, enter);
    LeafLanes children;
    std::memcpy(&children, &refs, sizeof children);
    write_lanes<Arithmetic>(&reached_.refs[reached], children, lane_lists.ascending[leaves]);
    const IntLanes paths = IntLanes{} + static_cast<std::int32_t>(path);
    std::memcpy(&reached_.paths[reached], &paths, sizeof paths);
    reached += count_of(leaves);
  }
  reached_count_ = reached;
}

template <class View, class Walk>
template <class Arithmetic, bool far>
SPHAERA_INLINE void WalkTogether<View, Walk>::test_leaves(const LeafBlocks& leaves) {
  constexpr std::uint32_t ahead = 6;
  std::uint32_t hits = 0;
  for (std::uint32_t i = 0; i < reached_count_; ++i) {
    if constexpr (far)
      if (i + ahead < reached_count_) leaves.prefetch_floats(reached_.refs[i + ahead].index());
    const Member& member = members_[reached_.paths[i]];
    hits_[hits] = i;
    hits +=
        member.view.template touched<Arithmetic>(leaves, reached_.refs[i].index(), member.tfar).maybe != 0;
  }
  hit_count_ = hits;
  for (std::uint32_t i = 0; i < hits; ++i) leaves.prefetch_ids(reached_.refs[hits_[i]].index());
}

template <class View, class Walk>
template <class Arithmetic, VisitOrder order>
SPHAERA_INLINE void WalkTogether<View, Walk>::visit_hits(const LeafBlocks& leaves) {
  for (std::uint32_t i = 0; i < hit_count_; ++i) {
    const std::uint32_t path = reached_.paths[hits_[i]], leaf = reached_.refs[hits_[i]].index();
    Member& member = members_[path];
    if (member.tfar == stopped) continue;
    Walk& walk = *walks_[path];
    if constexpr (order == VisitOrder::any) {
      const LaneHits hits = member.view.template touched<Arithmetic>(leaves, leaf, member.tfar);
      if (walk.visit(walk, leaves.ids(leaf), hits) == TraversalControl::stop)
        member.tfar = stopped, member.pending = 0;
    } else {
      const LaneHits hits = member.view.template touched<Arithmetic>(leaves, leaf, member.tfar, walk.entries);
      if (hits.maybe == 0 || walk.visit(walk, leaves.ids(leaf), hits) != TraversalControl::limit_reduced)
        continue;
      member.tfar = limit(walk, member.tfar);
      drop_farther<Arithmetic>(path);
    }
  }
}

/// Removes from the stack the nodes that the path enters only after its tfar. One iteration suffices for most
/// stacks.
template <class View, class Walk>
template <class Arithmetic>
SPHAERA_INLINE void WalkTogether<View, Walk>::drop_farther(std::uint32_t path) {
  Member& member = members_[path];
  Stack& stack = stacks_[path];
  std::uint32_t kept = 0, first = 0;
  do {
    LeafLanes refs, distances;
    std::memcpy(&refs, &stack.refs[first], sizeof refs);
    std::memcpy(&distances, &stack.distances[first], sizeof distances);
    const LaneSet present = (LaneSet{1} << std::min(member.pending - first, width)) - 1,
                  near = present & lanes_of<Arithmetic>(distances <= LeafLanes{} + member.tfar);
    write_lanes<Arithmetic>(&stack.refs[kept], refs, lane_lists.ascending[near]);
    write_lanes<Arithmetic>(&stack.distances[kept], distances, lane_lists.ascending[near]);
    kept += count_of(near);
    first += width;
  } while (first < member.pending);
  member.pending = kept;
}

template <class View, class Walk>
SPHAERA_INLINE PathBounds WalkTogether<View, Walk>::bounds() const {
  PathBounds bounds;
  for (std::uint32_t k = 0; k < walking_; ++k) members_[walking_list_[k]].view.add_to(bounds);
  return bounds;
}

template <class View, class Walk>
SPHAERA_INLINE void WalkTogether<View, Walk>::start(BvhRef root) {
  for (std::uint32_t i = 0; i < size_; ++i) stacks_[i].refs[0] = root, members_[i].pending = 1;
}

/// Keeps the paths that have nodes to visit, and prefetches these. A path whose stack might overflow in the
/// next round walks alone.
template <class View, class Walk>
template <bool far>
SPHAERA_INLINE void WalkTogether<View, Walk>::end_round(const Bvh& bvh) {
  std::uint32_t walking = 0;
  for (std::uint32_t k = 0; k < walking_; ++k) {
    const std::uint32_t path = walking_list_[k], pending = members_[path].pending;
    walking_list_[walking] = path;
    walking += pending > 0;
    if constexpr (far)
      if (pending > 0) bvh.prefetch(stacks_[path].refs[pending - 1]);
    if (pending + width <= stack_room) [[likely]]
      continue;
    alone_list_[alone_++] = path;
    --walking;
  }
  walking_ = walking;
}

template <class View, class Walk>
template <VisitOrder order>
void WalkTogether<View, Walk>::walk(const Bvh& bvh, const LeafBlocks& leaves) {
  if (bvh.has_stacks()) return walk_in<order, true, false>(bvh, leaves);
  if (bvh.groups_prefetch() && leaves.floats(0)) return walk_in<order, false, true>(bvh, leaves);
  walk_in<order, false, false>(bvh, leaves);
}

template <class View, class Walk>
template <VisitOrder order, bool stacked, bool far>
void WalkTogether<View, Walk>::walk_in(const Bvh& bvh, const LeafBlocks& leaves) {
  if (size_ == 0) return;
  exact::with_arithmetic(walks_[0]->fused, [&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    using Set = decltype(arithmetic);
    start(bvh.root());
    const auto round = [&](const auto& node_of) SPHAERA_INLINE_LAMBDA {
      test_nodes<Set, order, stacked>(bvh, node_of);
      test_leaves<Set, far>(leaves);
      visit_hits<Set, order>(leaves);
      end_round<far>(bvh);
    };
    if (!stacked && walking_ >= worth_an_entry) {
      const GroupEntry<Set> entry(bvh, bounds());
      round([&](BvhRef) SPHAERA_INLINE_LAMBDA { return &entry.node(); });
    }
    while (walking_ > 0) round([&](BvhRef ref) SPHAERA_INLINE_LAMBDA { return &bvh.node(ref); });
  });
}

void FrameBvh::any(PathGroup& group) const {
  group.walk<VisitOrder::any>(bvh_, leaves_);
  for (const std::uint32_t i : group.alone())
    if (!any(group[i])) group.stop(i);
}

void FrameBvh::nearest_first(PathGroup& group) const {
  group.walk<VisitOrder::nearest_first>(bvh_, leaves_);
  for (const std::uint32_t i : group.alone()) nearest_first(group[i]);
}

void FrameBvh::nearest_first(FlightGroup& group) const {
  group.walk<VisitOrder::nearest_first>(bvh_, leaves_);
  for (const std::uint32_t i : group.alone()) nearest_first(group[i]);
}

}  // namespace sphaera::index
