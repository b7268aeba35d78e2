#pragma once
/// \file The spheres nearest to one point, found among those gathered about its group.

#include <index/boxes/lanes.hpp>
#include <query/neighbors/nearby_spheres.hpp>
#include <query/neighbors/nearest_list.hpp>

namespace sphaera::query {

/// Collects the spheres near a point and puts the k nearest of them in order.
class NearestInGroup {
 public:
  static constexpr std::size_t max_k = 64;  ///< a larger k is answered by a walk

  /// The nearest sphere without the ignored one (−1: none); empty if there is no other. `local` is the point
  /// in the index's top frame. nearer(a, b) is the exact order.
  template <class Arithmetic, class Nearer>
  SPHAERA_INLINE std::span<const NeighborCandidate> nearest_one(const NearbySpheres& nearby,
                                                                const index::LocalPoint& local,
                                                                std::int64_t ignored, const Nearer& nearer) {
    const LeastDistances found = least_of<Arithmetic>(nearby, local, ignored);
    const float least = found.least[found.lane];
    if (least == std::numeric_limits<float>::infinity()) return {};
    const auto margin = static_cast<float>(local.margin);
    index::LeafLanes limits;
    index::set_all<Arithmetic>(limits, index::last_rival(least, margin));
    const index::LaneSet rivals = index::lanes_of<Arithmetic>(found.least <= limits),
                         others = index::lanes_of<Arithmetic>(found.second <= limits);
    const double unit = 1 / local.scale;
    const float error = index::distance_error(least, margin);
    // Bounds of the least distance, even if a rival turns out to be the nearest sphere.
    candidates_[0] = {nearby.ids(static_cast<std::size_t>(found.block[found.lane]))[found.lane],
                      (least - error) * unit, (least + error) * unit};
    if (std::popcount(rivals) + std::popcount(others) > 1) [[unlikely]]
      candidates_[0].sphere = nearest_below(nearby, local, ignored, limits, nearer);
    return std::span(candidates_).first(1);
  }

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

  using BlockLanes = std::int32_t __attribute__((vector_size(sizeof(index::LeafLanes))));

  /// In each lane: the two least distances in all blocks, and the block of the least.
  struct LeastDistances {
    index::LeafLanes least, second;
    BlockLanes block{};
    std::uint32_t lane = 0;  ///< that of the least of all
  };

  /// The distances to the spheres of a block, ∞ to the ignored one; NaN in empty lanes.
  template <class Arithmetic>
  SPHAERA_INLINE static void measure(const NearbySpheres& nearby, std::size_t i,
                                     const index::LocalPoint& local, std::int64_t ignored,
                                     index::LeafLanes& distances) {
    index::LeafLanes squares;
    index::put_squares(nearby.block(i), local.position, squares);
    index::put_distances<Arithmetic>(nearby.block(i), squares, distances);
    if (ignored >= 0)
      for (index::LaneSet own = nearby.lanes_with<Arithmetic>(i, ignored); own != 0; own &= own - 1)
        distances[std::countr_zero(own)] = std::numeric_limits<float>::infinity();
  }

  /// No branch depends on which block holds the nearest: that is not predictable.
  template <class Arithmetic>
  SPHAERA_INLINE static LeastDistances least_of(const NearbySpheres& nearby, const index::LocalPoint& local,
                                                std::int64_t ignored) {
    LeastDistances found;
    index::set_all<Arithmetic>(found.least, std::numeric_limits<float>::infinity());
    found.second = found.least;
    BlockLanes number{};
    for (std::size_t i = 0; i < nearby.blocks(); ++i, number += 1) {
      index::LeafLanes distances;
      measure<Arithmetic>(nearby, i, local, ignored, distances);
      const auto nearer = distances < found.least;  // a NaN is not
      const index::LeafLanes other = nearer ? found.least : distances;
      found.second = other < found.second ? other : found.second;
      found.least = nearer ? distances : found.least;
      found.block = nearer ? number : found.block;
    }
    index::LeafLanes all = found.least;
    index::spread_least(all);
    found.lane =
        static_cast<std::uint32_t>(std::countr_zero(index::lanes_of<Arithmetic>(found.least == all)));
    return found;
  }

  /// The nearest of the spheres whose measured distances are up to the limit. Seldom called, so it is
  /// compiled once, without AVX2.
  template <class Nearer>
  static std::uint32_t nearest_below(const NearbySpheres& nearby, const index::LocalPoint& local,
                                     std::int64_t ignored, const index::LeafLanes& limits,
                                     const Nearer& nearer) {
    NeighborCandidate best{};
    bool found = false;
    for (std::size_t i = 0; i < nearby.blocks(); ++i) {
      index::LeafLanes distances;
      measure<exact::Plain>(nearby, i, local, ignored, distances);
      for (index::LaneSet near = index::lanes_of<exact::Plain>(distances <= limits); near != 0;
           near &= near - 1) {
        const NeighborCandidate next{nearby.ids(i)[static_cast<std::size_t>(std::countr_zero(near))], 0, 0};
        if (!found || nearer(next, best)) best = next;
        found = true;
      }
    }
    return best.sphere;
  }

  std::size_t size_ = 0;
  double unit_ = 1;
  RankedKeys<float> low_;
  std::array<float, max_ranked> high_;
  std::array<std::uint32_t, max_ranked> ids_;
  std::array<NeighborCandidate, max_ranked> candidates_;
};

}  // namespace sphaera::query
