#pragma once
/// \file The spheres nearest to one point, found among those gathered about its group.

#include <index/walk/lane_compaction.hpp>
#include <query/neighbors/nearby_spheres.hpp>
#include <query/neighbors/nearest_list.hpp>

namespace sphaera::query {

/// Collects the spheres near a point and puts the k nearest of them in order.
class NearestInGroup {
 public:
  static constexpr std::size_t max_k = 64;  ///< a larger k is answered by a walk

  /// Collects all spheres within `search_radius` of a point, and possibly others, without the ignored one
  /// (−1: none). `local` is the point in the index's top frame. Returns false if there are too many.
  template <class Arithmetic>
  SPHAERA_INLINE bool collect(const NearbySpheres& nearby, const index::LocalPoint& local,
                              double search_radius, std::int64_t ignored) {
    const float radius = local.local_radius(search_radius), margin = static_cast<float>(local.margin);
    unit_ = 1 / local.scale;
    size_ = 0;
    for (std::size_t i = 0; i < nearby.blocks(); ++i) {
      const index::LeafBlock& block = nearby.block(i);
      index::LeafLanes squares, ids, low, high;
      index::LaneSet near = index::reached<Arithmetic>(block, local.position, radius, squares);
      std::memcpy(&ids, &nearby.ids(i), sizeof ids);
      near &= ~nearby.lanes_with<Arithmetic>(i, ignored);
      index::measure<Arithmetic>(block, squares, margin, low, high);
      const index::LaneLists::Lanes& list = index::lane_lists.ascending[near];
      index::write_lanes<Arithmetic>(&low_.keys[size_], low, list);
      index::write_lanes<Arithmetic>(&high_[size_], high, list);
      index::write_lanes<Arithmetic>(&ids_[size_], ids, list);
      size_ += static_cast<std::size_t>(std::popcount(near));
      if (size_ > max_ranked - index::leaf_block_size) return false;
    }
    return true;
  }

  std::size_t size() const { return size_; }

  /// The k nearest spheres in order; empty if fewer than k were collected. nearer(a, b) is the exact order.
  template <class Nearer>
  SPHAERA_INLINE std::span<const NeighborCandidate> nearest(std::size_t k, const Nearer& nearer) {
    if (size_ < k) return {};
    if (k == 1) return nearest_one(nearer);
    low_.rank(size_);
    std::array<std::uint8_t, max_ranked> by_rank;
    for (std::size_t i = 0; i < size_; ++i)
      by_rank[static_cast<std::size_t>(low_.ranks[i])] = static_cast<std::uint8_t>(i);
    float limit = -std::numeric_limits<float>::infinity();  // ≥ the distances of k spheres
    std::size_t count = 0;
    for (; count < k; ++count) {
      candidates_[count] = candidate(by_rank[count]);
      limit = std::max(limit, high_[by_rank[count]]);
    }
    for (; count < size_ && low_.keys[by_rank[count]] <= limit; ++count)
      candidates_[count] = candidate(by_rank[count]);
    return first_in_order(std::span(candidates_).first(count), k, nearer);
  }

 private:
  SPHAERA_INLINE NeighborCandidate candidate(std::size_t i) const {
    return {ids_[i], low_.keys[i] * unit_, high_[i] * unit_};
  }

  template <class Nearer>
  SPHAERA_INLINE std::span<const NeighborCandidate> nearest_one(const Nearer& nearer) {
    float limit = high_[0];  // ≥ the least distance
    for (std::size_t i = 1; i < size_; ++i) limit = std::min(limit, high_[i]);
    std::size_t count = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      candidates_[count] = candidate(i);
      count += low_.keys[i] <= limit;
    }
    if (count > 1) {
      const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(count);
      candidates_[0] = *std::min_element(candidates_.begin(), end, nearer);
    }
    return std::span(candidates_).first(1);
  }

  std::size_t size_ = 0;
  double unit_ = 1;
  RankedKeys<float> low_;
  std::array<float, max_ranked> high_;
  std::array<std::uint32_t, max_ranked> ids_;
  std::array<NeighborCandidate, max_ranked + 1> candidates_;
};

}  // namespace sphaera::query
