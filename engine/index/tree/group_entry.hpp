#pragma once
/// \file Where a group of paths begins: at up to eight nodes and leaf blocks that hold all spheres near them,
/// in place of the root.

#include <index/tree/bvh.hpp>

namespace sphaera::index {

/// The box around sections of paths in a frame; at first it is empty.
struct PathBounds {
  FloatLanes lower = FloatLanes{} + std::numeric_limits<float>::infinity(), upper = -lower;

  /// Adds origin + τ·direction, 0 ≤ τ ≤ 1, and all within `margin` of it.
  SPHAERA_INLINE void add(const float (&origin)[3], const float (&direction)[3], float margin) {
    const FloatLanes begin{origin[0], origin[1], origin[2], 0},
        end = begin + FloatLanes{direction[0], direction[1], direction[2], 0},
        low = (begin < end ? begin : end) - margin, high = (begin > end ? begin : end) + margin;
    lower = low < lower ? low : lower;
    upper = high > upper ? high : upper;
  }
  SPHAERA_INLINE LocalBox box() const {
    return {{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
  }
};

/// A node whose children hold all spheres that paths within the bounds can touch (../proofs.md, section 11).
/// The widest child is opened as long as there is room for those of its children that touch the bounds.
template <class Arithmetic>
class GroupEntry {
 public:
  SPHAERA_INLINE GroupEntry(const Bvh& bvh, const PathBounds& bounds) : bounds_(bounds.box()) {
    const BvhNode& root = bvh.node(bvh.root());
    add(root, touching<Arithmetic>(root, bounds_));
    for (;;) {
      const std::uint32_t widest = widest_node();
      if (widest == none) break;
      const BvhNode& inner = bvh.node(node_.children[widest]);
      const LaneSet lanes = touching<Arithmetic>(inner, bounds_);
      if (size_ - 1 + static_cast<std::uint32_t>(std::popcount(lanes)) > BvhNode::width) {
        areas_[widest] = closed;
        continue;
      }
      remove(widest);
      add(inner, lanes);
    }
  }
  const BvhNode& node() const { return node_; }

 private:
  static constexpr std::uint32_t none = BvhNode::width;
  static constexpr float closed = -1;  ///< as area: a primitive, or a node with too many children

  SPHAERA_INLINE std::uint32_t widest_node() const {
    std::uint32_t widest = none;
    float area = closed;
    for (std::uint32_t i = 0; i < size_; ++i)
      if (areas_[i] > area) widest = i, area = areas_[i];
    return widest;
  }
  SPHAERA_INLINE void add(const BvhNode& from, LaneSet lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
      put(from.box(lane), from.children[lane]);
    }
  }
  SPHAERA_INLINE void put(const LocalBox& box, BvhRef child) {
    node_.set(size_, box), node_.children[size_] = child;
    areas_[size_++] = child.is_primitive() ? closed : half_area(box);
  }
  SPHAERA_INLINE void remove(std::uint32_t i) {
    --size_;
    node_.set(i, node_.box(size_)), node_.children[i] = node_.children[size_], areas_[i] = areas_[size_];
    node_.set(size_, empty_box());
  }

  LocalBox bounds_;
  BvhNode node_;
  std::array<float, BvhNode::width> areas_;
  std::uint32_t size_ = 0;
};

}  // namespace sphaera::index
