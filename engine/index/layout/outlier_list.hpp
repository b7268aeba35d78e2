#pragma once
/// \file The leaf blocks that a refit finds far from where they were: some of their spheres have jumped.

#include <atomic>
#include <base/huge_array.hpp>
#include <index/layout/bvh.hpp>
#include <span>

namespace sphaera::index {

class OutlierList {
 public:
  /// A primitive of a frame: a leaf block, or a child frame.
  struct Item {
    const void* frame;
    std::uint32_t primitive;
  };
  /// A list with room for `leaves` leaf blocks. Throws std::bad_alloc.
  explicit OutlierList(std::size_t leaves) : items_(leaves) {}

  /// Empties the list. It will hold up to 1/`few` of the leaf blocks: where more have gone, the scene has
  /// changed as a whole, and putting spheres elsewhere one by one costs more than a rebuild.
  void clear(std::uint32_t few) {
    size_ = 0;
    most_ = static_cast<std::uint32_t>(items_.size() / few);
  }
  /// Safe from many threads.
  void add(const void* frame, std::uint32_t primitive) {
    if (size_.load(std::memory_order_relaxed) > most_) return;
    const std::uint32_t i = size_.fetch_add(1, std::memory_order_relaxed);
    if (i < most_) items_.data()[i] = {frame, primitive};
  }
  /// In no particular order; empty if there were too many.
  std::span<Item> items() { return items_.items().first(size_ > most_ ? 0 : size_.load()); }
  std::uint64_t bytes() const { return items_.bytes(); }

  /// Has a box lost touch with where it was, or grown so much that one of its spheres must have?
  static bool is_far(const LocalBox& before, const LocalBox& now) {
    BvhNode a, b;
    a.set(0, before), b.set(0, now);
    return !is_empty(now) && (far_lanes(a, b) & 1);
  }
  /// The same for all children of a node.
  SPHAERA_INLINE static LaneSet far_lanes(const BvhNode& before, const BvhNode& now) {
    LeafLanes size_before[3], size_now[3];
    LeafMask apart{};
    for (std::size_t i = 0; i < 3; ++i) {
      const LeafLanes &low = lanes(before.planes[i][0]), &high = lanes(before.planes[i][1]),
                      &low_now = lanes(now.planes[i][0]), &high_now = lanes(now.planes[i][1]);
      size_before[i] = high - low, size_now[i] = high_now - low_now;
      apart |= (low_now > high) | (low > high_now);
    }
    const LeafLanes area = size_before[0] * size_before[1] + size_before[1] * size_before[2] +
                           size_before[2] * size_before[0],
                    area_now =
                        size_now[0] * size_now[1] + size_now[1] * size_now[2] + size_now[2] * size_now[0];
    // Without spheres before: a point; without a child: both boxes are empty.
    const LeafMask held = area > 0, holds = size_now[0] >= 0;
    return set_of<exact::Plain>(held & holds & (apart | (area_now > far_growth * area)));
  }

 private:
  static constexpr float far_growth = 3;  // ../decisions.md

  std::atomic<std::uint32_t> size_{0};
  std::uint32_t most_ = 0;
  base::HugeArray<Item> items_;
};

}  // namespace sphaera::index
