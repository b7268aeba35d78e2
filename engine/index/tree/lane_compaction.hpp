#pragma once
/// \file Appends chosen lanes of eight to a list, without a branch.

#include <index/boxes/leaf_block.hpp>

namespace sphaera::index {

/// The lanes of each set, in both orders. Entries beyond them are 0.
struct LaneLists {
  using Lanes = std::array<std::uint8_t, leaf_block_size>;
  std::array<Lanes, all_lanes + 1> ascending{}, descending{};

  constexpr LaneLists() {
    for (LaneSet set = 0; set <= all_lanes; ++set) {
      std::size_t n = 0;
      for (std::uint8_t lane = 0; lane < leaf_block_size; ++lane)
        if (set >> lane & 1) ascending[set][n++] = lane;
      for (std::size_t i = 0; i < n; ++i) descending[set][i] = ascending[set][n - 1 - i];
    }
  }
};
inline constexpr LaneLists lane_lists;

/// Writes the listed lanes to `to`, which has room for eight.
template <class Arithmetic>
SPHAERA_INLINE void write_lanes(void* to, const LeafLanes& from, const LaneLists::Lanes& list) {
#if defined(__SSE2__) && !defined(__clang__)
  if constexpr (std::is_same_v<Arithmetic, exact::Fused>) {
    LeafLanes places, lanes;
    asm("vpmovzxbd %1, %0" : "=x"(places) : "m"(list));
    asm("vpermps %2, %1, %0" : "=x"(lanes) : "x"(places), "x"(from));
    std::memcpy(to, &lanes, sizeof lanes);
    return;
  }
#endif
  std::uint32_t bits[leaf_block_size], chosen[leaf_block_size];
  std::memcpy(bits, &from, sizeof bits);
  for (std::size_t i = 0; i < leaf_block_size; ++i) chosen[i] = bits[list[i]];
  std::memcpy(to, chosen, sizeof chosen);
}

}  // namespace sphaera::index
