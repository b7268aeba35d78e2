#pragma once
/// \file Ranks of a few keys by counting in lanes: no branch depends on the order of the keys.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <index/boxes/leaf_block.hpp>

namespace sphaera::query {

/// Counting takes n² ÷ 8 steps: beyond this many keys, sorting is faster.
inline constexpr std::size_t max_ranked = 128;

template <class Key>
struct KeyLanes;
template <>
struct KeyLanes<float> {
  using Lanes = index::LeafLanes;
};
template <>
struct KeyLanes<std::uint32_t> {
  using Lanes = std::uint32_t __attribute__((vector_size(sizeof(index::LeafLanes)), may_alias));
};

/// Keys and their ranks.
template <class Key>
struct RankedKeys : KeyLanes<Key> {
  using typename KeyLanes<Key>::Lanes;
  static constexpr std::size_t width = index::leaf_block_size;

  alignas(Lanes) Key keys[max_ranked];
  alignas(Lanes) std::int32_t ranks[max_ranked];

  /// Sets ranks[i] to the place of keys[i], i < n ≤ max_ranked, in ascending order; equal keys keep their
  /// order. No key is NaN.
  SPHAERA_INLINE void rank(std::size_t n) {
    for (std::size_t i = n; i % width != 0; ++i) keys[i] = Key{};
    const index::LeafMask lane{0, 1, 2, 3, 4, 5, 6, 7};
    for (std::size_t row = 0; row * width < n; ++row) {
      Lanes own;
      std::memcpy(&own, keys + row * width, sizeof own);  // unaligned: a fault was seen under ThreadSanitizer
      const std::size_t first = row * width, last = std::min(first + width, n);
      index::LeafMask rank{};
      for (std::size_t j = 0; j < first; ++j) rank -= keys[j] <= own;
      for (std::size_t j = first; j < last; ++j) {
        const auto before = lane > static_cast<std::int32_t>(j - first);
        rank -= (keys[j] < own) | ((keys[j] == own) & before);
      }
      for (std::size_t j = last; j < n; ++j) rank -= keys[j] < own;
      std::memcpy(ranks + row * width, &rank, sizeof rank);
    }
  }
};

}  // namespace sphaera::query
