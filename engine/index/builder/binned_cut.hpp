#pragma once
/// \file The best cut through a group of spheres by the binned surface-area heuristic, found from a sample.

#include <algorithm>
#include <cstdint>
#include <index/boxes/aabb.hpp>
#include <optional>
#include <span>

namespace sphaera::index {

/// Boxes sampled to find a cut. All boxes would take half of the build time, and save 2 % of the node visits
/// on belts (../decisions.md).
inline constexpr std::size_t sampled_boxes = 1024;

/// The stride that takes at most `sample` of `n` boxes.
constexpr std::size_t stride_for(std::size_t n, std::size_t sample) { return (n + sample - 1) / sample; }

/// Calls take(i) for one of every `stride` places below n, each time at another position. A fixed position
/// would pick a single column from a grid whose rows have `stride` boxes.
template <class Take>
SPHAERA_INLINE void each_sample(std::size_t n, std::size_t stride, const Take& take) {
  constexpr std::uint32_t golden = 0x9e3779b9;  // its multiples modulo 2^32 are evenly distributed
  std::uint32_t share = 0;
  for (std::size_t begin = 0; begin < n; begin += stride, share += golden)
    take(std::min(begin + (std::uint64_t{share} * stride >> 32), n - 1));
}

/// Does a box lie before a cut, by its center?
struct BeforeCut {
  std::size_t axis;
  float lower, per_unit, bin;  ///< of twice the centers; the cut is at the lower border of the bin

  SPHAERA_INLINE bool operator()(const SphereBox& box) const {
    return (box.lower[axis] - box.negated_upper[axis] - lower) * per_unit < bin;
  }
};

/// The cut between bins of centers with the least sum of area × boxes, from one of every `stride` boxes.
/// Empty if all their centers are equal.
std::optional<BeforeCut> best_cut(std::span<const SphereBox> boxes, std::size_t stride);

}  // namespace sphaera::index
