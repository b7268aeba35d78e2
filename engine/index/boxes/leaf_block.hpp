#pragma once
/// \file Up to eight spheres in a leaf, in lanes.

#include <array>
#include <cstdint>
#include <index/boxes/lanes.hpp>
#include <limits>

namespace sphaera::index {

inline constexpr std::uint32_t leaf_block_size = 8;
static_assert(leaf_block_size == lane_count);
/// Leaf blocks needed for n spheres.
constexpr std::size_t leaf_blocks_for(std::size_t n) { return (n + leaf_block_size - 1) / leaf_block_size; }
inline constexpr std::uint32_t no_sphere = 0xffffffff;

/// Centers and radii in local float units. The radius of an empty lane is NaN, so the lane fails every
/// comparison.
struct alignas(64) LeafBlock {
  std::array<float, leaf_block_size> x{}, y{}, z{}, radius;

  /// Makes all lanes empty.
  LeafBlock() { radius.fill(std::numeric_limits<float>::quiet_NaN()); }
};

/// Velocities of a leaf block's moving spheres, in local units per unit of time. The limits keep the product
/// with a time (WalkTime) far from over- and underflow.
struct alignas(64) LeafVelocities {
  std::array<float, leaf_block_size> x{}, y{}, z{};

  /// A smaller component becomes 0: in a time of 2^70, the largest of WalkTime, it would move the sphere by
  /// less than 2^-30 = w/64.
  static constexpr double least = 0x1p-100;
  /// A larger component becomes NaN, which makes the sphere a candidate.
  static constexpr double most = 0x1p100;
};

/// Ids of a leaf block's spheres, filled from lane 0 on; `no_sphere` in empty lanes.
using LeafIds = std::array<std::uint32_t, leaf_block_size>;

/// `maybe`: the path may touch these spheres. `surely`: it touches these for certain, a subset of `maybe`.
/// `bounded`: spheres with known bounds. For a path they bound the entry (LeafEntries), and `bounded` is a
/// subset of `surely`. For a point they bound the distance (LeafDistances), and `surely` are the spheres that
/// are certainly within the search radius.
struct LaneHits {
  LaneSet maybe, surely, bounded;
};

SPHAERA_INLINE const LeafLanes& lanes(const std::array<float, leaf_block_size>& values) {
  static_assert(alignof(LeafBlock) >= sizeof(LeafLanes));
  return reinterpret_cast<const LeafLanes&>(values);
}

}  // namespace sphaera::index
