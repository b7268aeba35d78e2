#pragma once
/// \file Eight floats or four doubles at once. Instructions of one processor stand here alone: AVX2 as inline
/// assembly, as a function for any processor may include it, too; SSE2; else what every compiler can do.

#include <base/processor.hpp>

#if defined(SPHAERA_X86_64)
#include <emmintrin.h>
#if !defined(__clang__)  // clang checks the operands before inlining, when AVX2 is not enabled
#define SPHAERA_AVX2_LANES
#endif
#endif

#include <array>
#include <cstdint>
#include <cstring>
#include <exact/numbers/arithmetic.hpp>
#include <sphaera/vec3.hpp>
#include <type_traits>

namespace sphaera::index {

inline constexpr std::uint32_t lane_count = 8;

/// One bit per lane.
using LaneSet = std::uint32_t;
inline constexpr LaneSet all_lanes = (1u << lane_count) - 1;

using LeafLanes = float __attribute__((vector_size(lane_count * sizeof(float)), may_alias));
using LeafMask = std::int32_t __attribute__((vector_size(lane_count * sizeof(float))));

/// One bit for each lane of the mask that is true (−1).
template <class Arithmetic>
SPHAERA_INLINE LaneSet lanes_of(const LeafMask& mask) {
#if defined(SPHAERA_AVX2_LANES)
  if constexpr (std::is_same_v<Arithmetic, exact::Fused>) {
    LaneSet set;
    asm("vmovmskps %1, %0" : "=r"(set) : "x"(mask));
    return set;
  }
#endif
#if defined(SPHAERA_X86_64)
  __m128 halves[2];
  std::memcpy(halves, &mask, sizeof mask);
  return static_cast<LaneSet>(_mm_movemask_ps(halves[0]) | _mm_movemask_ps(halves[1]) << 4);
#else
  LaneSet set = 0;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) set |= (mask[lane] & 1u) << lane;
  return set;
#endif
}

// The functions below write lanes to a reference parameter. Vectors returned by value have another ABI with
// AVX, and compilers warn about that even though these functions are always inlined.

/// Sets every lane to the least of all eight, none of which is a NaN.
template <class EightLanes>
SPHAERA_INLINE void spread_least(EightLanes& x) {
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
#if defined(SPHAERA_AVX2_LANES)
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
#if defined(SPHAERA_AVX2_LANES)
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
#if defined(SPHAERA_AVX2_LANES)
  if constexpr (std::is_same_v<Arithmetic, exact::Fused>) {
    asm("vsqrtps %0, %0" : "+x"(x));
    return;
  }
#endif
#if defined(SPHAERA_X86_64)
  // Through memory, the result would wait until both halves are stored (../decisions.md).
  const __m128 low = _mm_sqrt_ps(__builtin_shufflevector(x, x, 0, 1, 2, 3)),
               high = _mm_sqrt_ps(__builtin_shufflevector(x, x, 4, 5, 6, 7));
  x = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) x[lane] = __builtin_sqrtf(x[lane]);
#endif
}

/// The lanes of each set, in both orders. Entries beyond them are 0.
struct LaneLists {
  using Lanes = std::array<std::uint8_t, lane_count>;
  std::array<Lanes, all_lanes + 1> ascending{}, descending{};

  constexpr LaneLists() {
    for (LaneSet set = 0; set <= all_lanes; ++set) {
      std::size_t n = 0;
      for (std::uint8_t lane = 0; lane < lane_count; ++lane)
        if (set >> lane & 1) ascending[set][n++] = lane;
      for (std::size_t i = 0; i < n; ++i) descending[set][i] = ascending[set][n - 1 - i];
    }
  }
};
inline constexpr LaneLists lane_lists;

/// Writes the listed lanes to `to`, which has room for eight.
template <class Arithmetic>
SPHAERA_INLINE void write_lanes(void* to, const LeafLanes& from, const LaneLists::Lanes& list) {
#if defined(SPHAERA_AVX2_LANES)
  if constexpr (std::is_same_v<Arithmetic, exact::Fused>) {
    LeafLanes places, lanes;
    asm("vpmovzxbd %1, %0" : "=x"(places) : "m"(list));
    asm("vpermps %2, %1, %0" : "=x"(lanes) : "x"(places), "x"(from));
    std::memcpy(to, &lanes, sizeof lanes);
    return;
  }
#endif
  std::uint32_t bits[lane_count], chosen[lane_count];
  std::memcpy(bits, &from, sizeof bits);
  for (std::size_t i = 0; i < lane_count; ++i) chosen[i] = bits[list[i]];
  std::memcpy(to, chosen, sizeof chosen);
}

/// Three axes and an idle lane.
using Lanes = double __attribute__((vector_size(32)));
using FloatLanes = float __attribute__((vector_size(16)));

/// Sets the lanes to a vector and 0.
template <class Arithmetic>
SPHAERA_INLINE void load(Lanes& to, const Vec3& v) {
#if defined(SPHAERA_AVX2_LANES)
  if constexpr (std::is_same_v<Arithmetic, exact::Fused>) {
    using Mask = std::int64_t __attribute__((vector_size(32)));
    asm("vmaskmovpd %2, %1, %0" : "=x"(to) : "x"(Mask{-1, -1, -1, 0}), "m"(v));
    return;
  }
#endif
  to = Lanes{v.x, v.y, v.z, 0};
}

/// Writes the first three lanes.
SPHAERA_INLINE void store(Vec3& to, const Lanes& v) {
  using Pair = double __attribute__((vector_size(16)));
  const Pair xy = __builtin_shufflevector(v, v, 0, 1);
  std::memcpy(&to.x, &xy, sizeof xy);
  to.z = v[2];
}

}  // namespace sphaera::index
