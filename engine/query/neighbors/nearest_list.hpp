#pragma once
/// \file The k nearest spheres of a walk: candidates with bounds of their distances, thinned out when there
/// are many, put in order at the end. Bounds decide almost everything; what they leave open is decided
/// exactly.

#include <limits>
#include <query/batch/task_scratch.hpp>
#include <query/neighbors/rank_by_counting.hpp>
#include <span>

namespace sphaera::query {

/// Returns the first k candidates in the exact order, or all if there are fewer. `by_low` is sorted by lower
/// bound. nearer(a, b) is the exact order; it is called only where bounds overlap.
template <class Nearer>
SPHAERA_INLINE std::span<const NeighborCandidate> first_in_order(std::span<NeighborCandidate> by_low,
                                                                 std::size_t k, const Nearer& nearer) {
  const std::size_t size = std::min(k, by_low.size());
  for (std::size_t begin = 0, end = 0; begin < size; begin = end) {
    double high = by_low[begin].high;
    for (end = begin + 1; end < by_low.size() && by_low[end].low <= high; ++end)
      high = std::max(high, by_low[end].high);
    if (end - begin > 1)
      std::sort(by_low.begin() + static_cast<std::ptrdiff_t>(begin),
                by_low.begin() + static_cast<std::ptrdiff_t>(end), nearer);
  }
  return by_low.first(size);
}

class NearestList {
 public:
  /// Candidates that a list for k spheres holds before it is thinned out.
  static constexpr std::size_t limit_for(std::size_t k) { return k + k / 2 + 8; }
  /// The most candidates that the list ever holds: the limit and one leaf block.
  static constexpr std::size_t max_items(std::size_t k) { return limit_for(k) + index::leaf_block_size; }
  /// Room that a list for k spheres needs: its candidates, and space for sorting if there are few.
  static constexpr std::size_t room_for(std::size_t k) {
    return max_items(k) + std::min(max_items(k), max_ranked);
  }

  /// `scale` maps distances to the range of float.
  SPHAERA_INLINE NearestList(std::size_t k, double scale, std::span<NeighborCandidate> room)
      : k_(k), scale_(scale), items_(room.first(max_items(k))), sorted_(room.subspan(max_items(k))) {}

  SPHAERA_INLINE std::size_t wanted() const { return k_; }
  SPHAERA_INLINE void add(const NeighborCandidate& nearby) { items_[size_++] = nearby; }
  SPHAERA_INLINE bool is_full() const { return size_ >= limit_for(k_); }
  /// False if k candidates are known to come before it in the exact order.
  template <class Nearer>
  SPHAERA_INLINE bool may_be_among(const NeighborCandidate& nearby, const Nearer& nearer) const {
    return !decided_ || nearer(nearby, kth_);
  }

  /// Removes candidates that are not among the k nearest; returns an upper bound of the distance of the kth
  /// nearest. nearer(a, b) is the exact order.
  template <class Nearer>
  SPHAERA_INLINE double thin_out(const Nearer& nearer) {
    double search_radius = kth_high();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      items_[kept] = items_[i];
      kept += items_[i].low <= search_radius;
    }
    size_ = kept;
    if (!is_full()) return search_radius;
    // Many at the same distance: only the exact order separates them.
    std::nth_element(items_.begin(), at(k_ - 1), at(size_), nearer);
    size_ = k_;
    kth_ = items_[k_ - 1], decided_ = true;
    search_radius = items_[0].high;
    for (std::size_t i = 1; i < k_; ++i) search_radius = std::max(search_radius, items_[i].high);
    return search_radius;
  }

  /// The k nearest, or fewer, in order.
  template <class Nearer>
  SPHAERA_INLINE std::span<const NeighborCandidate> in_order(const Nearer& nearer) {
    sort_by_low();
    return first_in_order(items_.first(size_), k_, nearer);
  }

 private:
  using Iterator = std::span<NeighborCandidate>::iterator;
  static constexpr std::size_t few = 4;  ///< up to this many are sorted by insertion

  Iterator at(std::size_t i) const { return items_.begin() + static_cast<std::ptrdiff_t>(i); }
  static bool lower(const NeighborCandidate& a, const NeighborCandidate& b) { return a.low < b.low; }

  /// A number that k of the upper bounds do not exceed: the kth of them, but for rounding. Size ≥ k.
  SPHAERA_INLINE double kth_high() {
    if (size_ > max_ranked) {
      const auto less = [](const NeighborCandidate& a, const NeighborCandidate& b) {
        return a.high < b.high;
      };
      std::nth_element(items_.begin(), at(k_ - 1), at(size_), less);
      return items_[k_ - 1].high;
    }
    RankedKeys<float> by_high;
    for (std::size_t i = 0; i < size_; ++i) by_high.keys[i] = static_cast<float>(items_[i].high * scale_);
    by_high.rank(size_);
    // Rounding to float keeps the order: k candidates have upper bounds up to the largest of these.
    double search_radius = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < size_; ++i) {
      const bool among = by_high.ranks[i] < static_cast<std::int32_t>(k_);
      search_radius = among && items_[i].high > search_radius ? items_[i].high : search_radius;
    }
    return search_radius;
  }

  SPHAERA_INLINE void sort_by_low() {
    if (size_ <= few) {
      for (std::size_t i = 1; i < size_; ++i) {
        const NeighborCandidate item = items_[i];
        std::size_t to = i;
        for (; to > 0 && item.low < items_[to - 1].low; --to) items_[to] = items_[to - 1];
        items_[to] = item;
      }
      return;
    }
    if (size_ <= max_ranked) {
      RankedKeys<float> by_low;
      for (std::size_t i = 0; i < size_; ++i) by_low.keys[i] = static_cast<float>(items_[i].low * scale_);
      by_low.rank(size_);
      for (std::size_t i = 0; i < size_; ++i) sorted_[static_cast<std::size_t>(by_low.ranks[i])] = items_[i];
      std::swap(items_, sorted_);
      bool in_order = true;  // false if keys that are equal as floats hide a wrong order
      for (std::size_t i = 1; i < size_; ++i) in_order &= items_[i - 1].low <= items_[i].low;
      if (in_order) return;
    }
    std::sort(items_.begin(), at(size_), lower);
  }

  std::size_t k_, size_ = 0;
  double scale_;
  std::span<NeighborCandidate> items_, sorted_;
  NeighborCandidate kth_{};  ///< the last of the k nearest when they were last separated exactly
  bool decided_ = false;     ///< `kth_` is set
};

}  // namespace sphaera::query
