#pragma once
/// \file Neighbors sorted by distance and id: dealt into buckets of equal width, of which each is sorted.
///
/// The distances of spheres around a point spread so evenly that a bucket gets a few of them: on average n
/// steps, where comparing takes n log n, half of them mispredicted (../../index/decisions.md).

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <sphaera/hit.hpp>
#include <vector>

namespace sphaera::query {

inline bool is_nearer(const Neighbor& a, const Neighbor& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.sphere < b.sphere;
}

/// Sorts a few neighbors, most of which are in order.
SPHAERA_INLINE void sort_few(std::span<Neighbor> few) {
  for (std::size_t i = 1; i < few.size(); ++i) {
    const Neighbor one = few[i];
    std::size_t place = i;
    for (; place > 0 && is_nearer(one, few[place - 1]); --place) few[place] = few[place - 1];
    few[place] = one;
  }
}

/// Sorts list[first], … by distance, then id. Uses room behind the list.
inline void sort_by_distance(std::vector<Neighbor>& list, std::size_t first) {
  constexpr std::size_t few = 24, most_buckets = 1024;
  const std::size_t n = list.size() - first;
  std::span<Neighbor> found = std::span(list).subspan(first);
  if (n <= few) return sort_few(found);
  if (std::ranges::is_sorted(found, is_nearer)) return;
  const auto [nearest, farthest] = std::ranges::minmax(found, {}, &Neighbor::distance);
  const double low = nearest.distance, extent = farthest.distance - low;
  const std::size_t buckets = std::min(std::bit_ceil(n / 2), most_buckets);
  // Rounding keeps the order: a farther neighbor gets no lower bucket. A last bucket is for the farthest.
  const double scale = static_cast<double>(buckets - 1) / extent;
  if (!std::isfinite(scale)) return std::sort(found.begin(), found.end(), is_nearer);  // all nearly equal
  const auto bucket_of = [&](const Neighbor& neighbor) {
    return std::min(static_cast<std::size_t>((neighbor.distance - low) * scale), buckets - 1);
  };
  std::array<std::uint32_t, most_buckets + 1> ends;
  std::fill_n(ends.begin(), buckets + 1, 0);
  for (const Neighbor& neighbor : found) ++ends[bucket_of(neighbor) + 1];
  for (std::size_t i = 1; i < buckets; ++i) ends[i + 1] += ends[i];
  list.resize(list.size() + n);
  found = std::span(list).subspan(first, n);
  const std::span<Neighbor> dealt = std::span(list).subspan(first + n);
  for (const Neighbor& neighbor : found) dealt[ends[bucket_of(neighbor)]++] = neighbor;
  for (std::size_t i = 0, begin = 0; i < buckets; begin = ends[i++]) {
    const std::span<Neighbor> bucket = dealt.subspan(begin, ends[i] - begin);
    if (bucket.size() <= few)
      sort_few(bucket);
    else
      std::ranges::sort(bucket, is_nearer);
  }
  std::ranges::copy(dealt, found.begin());
  list.resize(first + n);
}

}  // namespace sphaera::query
