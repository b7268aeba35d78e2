#pragma once
/// \file What a walk down a BVH has yet to follow.

#include <algorithm>
#include <bit>
#include <index/layout/bvh.hpp>
#include <span>

namespace sphaera::index {

SPHAERA_INLINE std::uint32_t first_lane(LaneSet lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

/// The ref of a lane of several nodes.
SPHAERA_INLINE BvhRef ref_of(std::span<const BvhNode> nodes, unsigned lane) {
  return nodes[lane / BvhNode::width].children[lane % BvhNode::width];
}

/// Refs yet to be followed, the last first.
class TraversalStack {
 public:
  SPHAERA_INLINE bool empty() const { return size_ == 0; }
  SPHAERA_INLINE BvhRef pop() { return refs_[--size_]; }
  /// Adds lanes of the top, the first to be followed first.
  SPHAERA_INLINE void push(std::span<const BvhNode> top, TopLanes lanes) {
    while (lanes != 0) {
      const auto lane = static_cast<unsigned>(std::bit_width(lanes) - 1);
      lanes ^= TopLanes{1} << lane;
      refs_[size_++] = ref_of(top, lane);
    }
  }
  /// Adds the lanes of a node but the first, which it returns. Not for an empty set.
  SPHAERA_INLINE BvhRef push_rest(const BvhNode& node, LaneSet lanes) {
    const BvhRef first = node.children[first_lane(lanes)];
    for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1)
      refs_[size_++] = node.children[first_lane(lanes)];
    return first;
  }

 private:
  std::size_t size_ = 0;
  std::array<BvhRef, Bvh::max_stack> refs_;
};

/// Refs yet to be followed, the nearest first: each node's children are put in order, among nodes the last
/// node's come first.
class DistanceStack {
 public:
  SPHAERA_INLINE bool empty() const { return size_ == 0; }
  SPHAERA_INLINE void pop() { --size_; }
  SPHAERA_INLINE BvhRef ref() const { return ref_of(keys_[size_]); }
  SPHAERA_INLINE float distance() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(keys_[size_] >> 32));
  }
  /// Adds lanes of the top; to nothing else.
  SPHAERA_INLINE void push(std::span<const BvhNode> top, TopLanes lanes, const LeafLanes* distances) {
    using Bits [[gnu::may_alias]] = std::uint32_t;
    const auto* const distance = reinterpret_cast<const Bits*>(distances);
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      insert(std::uint64_t{distance[lane]} << 32 | std::bit_cast<std::uint32_t>(index::ref_of(top, lane)), 0);
    }
  }
  /// Adds the lanes of a node but the nearest, which it returns. Not for an empty set. Up to three go without
  /// a binary node that depends on their order: it would be foreseen wrongly half the time.
  SPHAERA_INLINE BvhRef push_farther(const BvhNode& node, LaneSet lanes, const LeafLanes& distances) {
    // Where they lie: GCC would copy them twice, and wait for each copy.
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
      insert(std::max(near, d), first);
      near = std::min(near, d);
    }
    return ref_of(near);
  }

 private:
  /// Among the keys from number `first` on, which are in order.
  SPHAERA_INLINE void insert(std::uint64_t key, std::size_t first) {
    std::size_t i = size_++;
    for (; i > first && keys_[i - 1] < key; --i) keys_[i] = keys_[i - 1];
    keys_[i] = key;
  }
  SPHAERA_INLINE static BvhRef ref_of(std::uint64_t key) {
    return std::bit_cast<BvhRef>(static_cast<std::uint32_t>(key));
  }

  std::size_t size_ = 0;
  /// A distance ≥ 0, whose bits are in the order of its values, above a ref.
  std::array<std::uint64_t, Bvh::max_stack> keys_;
};

}  // namespace sphaera::index
