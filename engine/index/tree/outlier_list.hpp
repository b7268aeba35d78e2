#pragma once
/// \file The leaf blocks that a refit finds far from where they were: some of their spheres have jumped.

#include <array>
#include <atomic>
#include <base/huge_array.hpp>
#include <index/tree/bvh.hpp>
#include <span>

namespace sphaera::index {

/// The boxes of a node in lanes: planes, sizes and half-areas.
class BoxLanes {
 public:
  BoxLanes() = default;
  SPHAERA_INLINE explicit BoxLanes(const BvhNode& node) {
    for (std::size_t i = 0; i < 3; ++i)
      low_[i] = lanes(node.planes[i][0]), high_[i] = lanes(node.planes[i][1]), size_[i] = high_[i] - low_[i];
    area_ = size_[0] * size_[1] + size_[1] * size_[2] + size_[2] * size_[0];
  }
  LocalBox box(std::size_t lane) const {
    return {{low_[0][lane], low_[1][lane], low_[2][lane]}, {high_[0][lane], high_[1][lane], high_[2][lane]}};
  }
  /// Half-areas; 0 without a child.
  SPHAERA_INLINE void set_areas(LeafLanes& to) const { to = size_[0] >= 0 ? area_ : LeafLanes{}; }
  /// The lanes whose box no longer overlaps its old box, or has more than `far_growth` times the old area:
  /// one of the spheres in it has jumped.
  template <class Arithmetic>
  SPHAERA_INLINE LaneSet far_from(const BoxLanes& before) const {
    LeafMask apart{};
    for (std::size_t i = 0; i < 3; ++i) apart |= (low_[i] > before.high_[i]) | (before.low_[i] > high_[i]);
    // A child that had no spheres had a point as box, of area 0. A lane without a child has an empty box.
    return lanes_of<Arithmetic>((before.area_ > 0) & (size_[0] >= 0) &
                                (apart | (area_ > far_growth * before.area_)));
  }

 private:
  static constexpr float far_growth = 3;  // ../decisions.md

  LeafLanes low_[3], high_[3], size_[3], area_;
};

class OutlierList {
 public:
  /// `memory`: of the list; null: the system's.
  explicit OutlierList(std::pmr::memory_resource* memory) : items_(0, memory) {}

  /// A primitive of a frame: a leaf block, or a child frame.
  struct Item {
    const void* frame;
    std::uint32_t primitive;
    LocalBox before;  ///< its box before the refit
  };
  /// Empties the list and sets its limit to `leaves` / `few`. If more leaf blocks have moved far, a
  /// rebuild costs less than moving their spheres one by one. Throws std::bad_alloc; then the list is empty
  /// and its limit is 0.
  void clear(std::size_t leaves, std::uint32_t few) {
    size_ = 0, limit_ = 0;
    items_.resize(leaves / few);
    limit_ = static_cast<std::uint32_t>(leaves / few);
  }
  /// Thread-safe.
  void add(const Item& item) {
    if (size_.load(std::memory_order_relaxed) > limit_) return;
    const std::uint32_t i = size_.fetch_add(1, std::memory_order_relaxed);
    if (i < limit_) items_.data()[i] = item;
  }
  /// In no particular order; empty if there were too many.
  std::span<Item> items() { return items_.items().first(size_ > limit_ ? 0 : size_.load()); }
  std::uint64_t bytes() const { return items_.bytes(); }

  /// Does a box no longer overlap its old box, or is its area more than `far_growth` times the old one?
  static bool is_far(const LocalBox& before, const LocalBox& now) {
    BvhNode a, b;
    a.set(0, before), b.set(0, now);
    return !is_empty(now) && (BoxLanes(b).far_from<exact::Plain>(BoxLanes(a)) & 1);
  }

 private:
  std::atomic<std::uint32_t> size_{0};
  std::uint32_t limit_ = 0;
  base::HugeArray<Item> items_;
};

}  // namespace sphaera::index
