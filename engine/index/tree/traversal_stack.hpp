#pragma once
/// \file Traversal stacks: the refs that a walk down a BVH has yet to visit.

#include <algorithm>
#include <bit>
#include <index/tree/bvh.hpp>
#include <span>

namespace sphaera::index {

SPHAERA_INLINE std::uint32_t first_lane(LaneSet lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

/// The ref of one lane, numbered over several nodes as in TopLanes.
SPHAERA_INLINE BvhRef ref_of(std::span<const BvhNode> nodes, unsigned lane) {
  return nodes[lane / BvhNode::width].children[lane % BvhNode::width];
}

/// Calls use(ref) for all these lanes.
template <class Use>
SPHAERA_INLINE void each_ref(const BvhNode& node, LaneSet lanes, const Use& use) {
  for (; lanes != 0; lanes &= lanes - 1) use(node.children[first_lane(lanes)]);
}
template <class Use>
SPHAERA_INLINE void each_ref(std::span<const BvhNode> nodes, TopLanes lanes, const Use& use) {
  for (; lanes != 0; lanes &= lanes - 1) use(ref_of(nodes, static_cast<unsigned>(std::countr_zero(lanes))));
}

/// Refs to visit, last in first out.
class TraversalStack {
 public:
  SPHAERA_INLINE bool empty() const { return size_ == 0; }
  SPHAERA_INLINE BvhRef pop() { return refs_[--size_]; }
  /// Pushes lanes of the top nodes. The first lane is popped first.
  SPHAERA_INLINE void push(std::span<const BvhNode> top, TopLanes lanes) {
    while (lanes != 0) {
      const auto lane = static_cast<unsigned>(std::bit_width(lanes) - 1);
      lanes ^= TopLanes{1} << lane;
      refs_[size_++] = ref_of(top, lane);
    }
  }
  /// Pushes all lanes of a node but the first, which it returns. Precondition: lanes is not empty.
  SPHAERA_INLINE BvhRef push_rest(const BvhNode& node, LaneSet lanes) {
    const BvhRef first = node.children[first_lane(lanes)];
    for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1)
      refs_[size_++] = node.children[first_lane(lanes)];
    return first;
  }
  /// The same for a stack of equal spheres. Pops its nodes before its primitives, as NearestFirstStack does
  /// where all are equally near.
  SPHAERA_INLINE BvhRef push_in_order(const BvhNode& node, LaneSet lanes) {
    for (const bool primitives : {true, false})
      for (std::size_t lane = BvhNode::width; lane-- > 0;)
        if ((lanes >> lane & 1) && node.children[lane].is_primitive() == primitives)
          refs_[size_++] = node.children[lane];
    return pop();
  }

 private:
  std::size_t size_ = 0;
  std::array<BvhRef, Bvh::max_stack> refs_;
};

/// Refs to visit, nearest first: of each node's children the nearest comes first, and the children of the
/// latest node come before those of earlier nodes. The distances may be any measure that is ≥ 0 and grows
/// with the true distance.
class NearestFirstStack {
 public:
  /// Pops refs until one is no farther than `last`; false if there is none.
  SPHAERA_INLINE bool pop_within(float last, BvhRef& ref) {
    do {
      if (size_ == 0) return false;
      --size_;
    } while (!(distance_of(keys_[size_]) <= last));
    ref = ref_of(keys_[size_]);
    return true;
  }
  /// Pushes lanes of the top nodes. Precondition: the stack is empty.
  SPHAERA_INLINE void push(std::span<const BvhNode> top, TopLanes lanes, const LeafLanes* distances) {
    using Bits [[gnu::may_alias]] = std::uint32_t;
    const auto* const distance = reinterpret_cast<const Bits*>(distances);
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      insert(std::uint64_t{distance[lane]} << 32 | std::bit_cast<std::uint32_t>(index::ref_of(top, lane)), 0);
    }
  }
  /// Pushes all lanes of a node but the nearest, which it returns. Precondition: lanes is not empty. Up to
  /// three lanes are sorted, without a branch that depends on their order: it would be mispredicted half the
  /// time. Of more lanes, those from the fourth on are not, unless `sorted` (../decisions.md).
  SPHAERA_INLINE BvhRef push_farther(const BvhNode& node, LaneSet lanes, const LeafLanes& distances,
                                     bool sorted = false) {
    // Read in place: GCC would copy the distances twice and wait for each copy.
    using Bits [[gnu::may_alias]] = std::uint32_t;
    const auto* const distance = reinterpret_cast<const Bits*>(&distances);
    const auto next_key = [&]() SPHAERA_INLINE_LAMBDA {
      const std::uint32_t lane = first_lane(lanes);
      lanes &= lanes - 1;
      return std::uint64_t{distance[lane]} << 32 | std::bit_cast<std::uint32_t>(node.children[lane]);
    };
    const std::uint64_t a = next_key();
    if (lanes == 0) return ref_of(a);
    const std::uint64_t b = next_key();
    std::uint64_t near = std::min(a, b), far = std::max(a, b);
    if (lanes == 0) {
      keys_[size_++] = far;
      return ref_of(near);
    }
    const std::uint64_t c = next_key(), middle = std::max(near, c);
    near = std::min(near, c);
    const std::size_t first = size_;
    keys_[size_++] = std::max(far, middle);
    keys_[size_++] = std::min(far, middle);
    while (lanes != 0) {
      const std::uint64_t d = next_key();
      if (sorted)
        insert(std::max(near, d), first);
      else
        keys_[size_++] = std::max(near, d);
      near = std::min(near, d);
    }
    return ref_of(near);
  }

 private:
  /// Inserts into the sorted keys from position `first` on.
  SPHAERA_INLINE void insert(std::uint64_t key, std::size_t first) {
    std::size_t i = size_++;
    for (; i > first && keys_[i - 1] < key; --i) keys_[i] = keys_[i - 1];
    keys_[i] = key;
  }
  SPHAERA_INLINE static float distance_of(std::uint64_t key) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32));
  }
  SPHAERA_INLINE static BvhRef ref_of(std::uint64_t key) {
    return std::bit_cast<BvhRef>(static_cast<std::uint32_t>(key));
  }

  std::size_t size_ = 0;
  /// Key: the bits of a distance ≥ 0, which sort like its values, above the bits of a ref.
  std::array<std::uint64_t, Bvh::max_stack> keys_;
};

}  // namespace sphaera::index
