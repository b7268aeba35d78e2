#pragma once
/// \file Up to eight spheres in a leaf, and arithmetic in all their lanes at once.

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>
#include <cstdint>
#include <cstring>
#include <exact/numbers/arithmetic.hpp>
#include <limits>
#include <type_traits>

namespace sphaera::index {

inline constexpr std::uint32_t leaf_block_size = 8;
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

/// One bit per lane.
using LaneSet = std::uint32_t;
inline constexpr LaneSet all_lanes = (1u << leaf_block_size) - 1;

/// `maybe`: the path may touch these spheres. `surely`: it touches these for certain, a subset of `maybe`.
/// `bounded`: spheres with known bounds. For a path they bound the entry (LeafEntries), and `bounded` is a
/// subset of `surely`. For a point they bound the distance (LeafDistances), and `surely` are the spheres that
/// are certainly within the search radius.
struct LaneHits {
  LaneSet maybe, surely, bounded;
};

using LeafLanes = float __attribute__((vector_size(leaf_block_size * sizeof(float)), may_alias));
using LeafMask = std::int32_t __attribute__((vector_size(leaf_block_size * sizeof(float))));

SPHAERA_INLINE const LeafLanes& lanes(const std::array<float, leaf_block_size>& values) {
  static_assert(alignof(LeafBlock) >= sizeof(LeafLanes));
  return reinterpret_cast<const LeafLanes&>(values);
}

/// One bit for each lane of the mask that is true (−1).
template <class Arithmetic>
SPHAERA_INLINE LaneSet lanes_of(const LeafMask& mask) {
#if defined(__SSE2__)
#if !defined(__clang__)  // clang checks the operands before inlining, when AVX2 is not enabled
  if constexpr (std::is_same_v<Arithmetic, exact::Fused>) {
    LaneSet set;
    asm("vmovmskps %1, %0" : "=r"(set) : "x"(mask));
    return set;
  }
#endif
  __m128 halves[2];
  std::memcpy(halves, &mask, sizeof mask);
  return static_cast<LaneSet>(_mm_movemask_ps(halves[0]) | _mm_movemask_ps(halves[1]) << 4);
#else
  LaneSet set = 0;
  for (std::uint32_t lane = 0; lane < leaf_block_size; ++lane) set |= (mask[lane] & 1u) << lane;
  return set;
#endif
}

// The functions below write lanes to a reference parameter. Vectors returned by value have another ABI with
// AVX, and compilers warn about that even though these functions are always inlined.

/// Sets every lane to the least of all eight, none of which is a NaN.
template <class EightLanes>
SPHAERA_INLINE void spread_least(EightLanes& x) {
  static_assert(leaf_block_size == 8);
  const EightLanes four = __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3);
  x = four < x ? four : x;
  const EightLanes two = __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5);
  x = two < x ? two : x;
  const EightLanes one = __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6);
  x = one < x ? one : x;
}

/// Sets every lane to x.
template <class Arithmetic>
SPHAERA_INLINE void set_all(LeafLanes& to, float x) {
#if defined(__SSE2__) && !defined(__clang__)
  if constexpr (std::is_same_v<Arithmetic, exact::Fused>) {
    asm("vbroadcastss %1, %0" : "=x"(to) : "xm"(x));
    return;
  }
#endif
  to = LeafLanes{} + x;
}

/// x becomes x·y + z, with one rounding or two: the error bounds count two.
template <class Arithmetic>
SPHAERA_INLINE void multiply_add(LeafLanes& x, const LeafLanes& y, const LeafLanes& z) {
#if defined(__SSE2__) && !defined(__clang__)
  if constexpr (std::is_same_v<Arithmetic, exact::Fused>) {
    asm("vfmadd213ps %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
    return;
  }
#endif
  x = x * y + z;
}

/// One coordinate vector per lane.
struct LaneVectors {
  LeafLanes x, y, z;
};

template <class Arithmetic>
SPHAERA_INLINE void set_dot(LeafLanes& to, const LaneVectors& a, const LaneVectors& b) {
  LeafLanes yz = a.y;
  multiply_add<Arithmetic>(yz, b.y, a.x * b.x);
  to = a.z;
  multiply_add<Arithmetic>(to, b.z, yz);
}

/// x becomes √x.
template <class Arithmetic>
SPHAERA_INLINE void take_roots(LeafLanes& x) {
#if defined(__SSE2__)
#if !defined(__clang__)
  if constexpr (std::is_same_v<Arithmetic, exact::Fused>) {
    asm("vsqrtps %0, %0" : "+x"(x));
    return;
  }
#endif
  // Through memory, the result would wait until both halves are stored (../decisions.md).
  const __m128 low = _mm_sqrt_ps(__builtin_shufflevector(x, x, 0, 1, 2, 3)),
               high = _mm_sqrt_ps(__builtin_shufflevector(x, x, 4, 5, 6, 7));
  x = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
  for (std::uint32_t lane = 0; lane < leaf_block_size; ++lane) x[lane] = __builtin_sqrtf(x[lane]);
#endif
}

}  // namespace sphaera::index
