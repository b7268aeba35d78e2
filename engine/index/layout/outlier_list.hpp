#pragma once
/// \file The leaf blocks that a refit finds far from where they were: some of their spheres have jumped.

#include <atomic>
#include <base/huge_array.hpp>
#include <index/layout/bvh.hpp>
#include <span>

namespace sphaera::index {

class FrameBvh;

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
  /// Lists the primitive if its box has gone far. Safe from many threads.
  SPHAERA_INLINE void add_if_far(const void* frame, std::uint32_t primitive, const LocalBox& before,
                                 const LocalBox& now) {
    if (!is_far(before, now) || size_.load(std::memory_order_relaxed) > most_) return;
    const std::uint32_t i = size_.fetch_add(1, std::memory_order_relaxed);
    if (i < most_) items_.data()[i] = {frame, primitive};
  }
  /// In no particular order; empty if there were too many.
  std::span<Item> items() { return items_.items().first(size_ > most_ ? 0 : size_.load()); }
  std::uint64_t bytes() const { return items_.bytes(); }

  /// Has a box lost touch with where it was, or grown so much that one of its spheres must have?
  SPHAERA_INLINE static bool is_far(const LocalBox& before, const LocalBox& now) {
    if (is_point(before) || is_empty(now)) return false;
    bool apart = false;
    for (std::size_t i = 0; i < 3; ++i)
      apart |= (now.lower[i] > before.upper[i]) | (before.lower[i] > now.upper[i]);
    return apart || half_area(now) > far_growth * half_area(before);
  }

 private:
  static constexpr float far_growth = 3;  // ../decisions.md

  std::atomic<std::uint32_t> size_{0};
  std::uint32_t most_ = 0;
  base::HugeArray<Item> items_;
};

}  // namespace sphaera::index
