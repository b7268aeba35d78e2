#pragma once
/// \file Up to eight spheres in a leaf, and a float filter over all lanes at once that never rejects wrongly.
///
/// All numbers are in the scaled units of a frame (frame.hpp): |x_i| ≤ H_i ≤ 1, w = 2^-24. The error bounds
/// are derived in ../proofs.md, sections 3 to 7: paths, spheres touched for certain, entry, motion, balls.
/// Symbols below are theirs.
///
/// A filter only saves work. It may differ between instruction sets without changing an answer.

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>
#include <cstdint>
#include <cstring>
#include <index/frames/frame.hpp>
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

  static constexpr double least = 0x1p-100;  ///< below it 0: 2^70 of it, 2^-30 = w/64, do not matter
  static constexpr double most = 0x1p100;    ///< above it NaN, which makes the sphere a candidate
};

/// Ids of a leaf block's spheres, filled from lane 0 on; `no_sphere` in empty lanes.
using LeafIds = std::array<std::uint32_t, leaf_block_size>;

/// One bit per lane.
using LaneSet = std::uint32_t;
inline constexpr LaneSet all_lanes = (1u << leaf_block_size) - 1;

/// `maybe`: the path may touch these spheres. `surely`: it touches these for certain, a subset of `maybe`.
/// `timed`: bounds are known for these: of the path's entry (LeafEntries, a subset of `surely`), or of a
/// point's distance (LeafDistances). About a point, `surely` are spheres within reach for certain.
struct LaneHits {
  LaneSet maybe, surely, timed;
};

using LeafLanes = float __attribute__((vector_size(leaf_block_size * sizeof(float)), may_alias));
using LeafMask = std::int32_t __attribute__((vector_size(leaf_block_size * sizeof(float))));

SPHAERA_INLINE const LeafLanes& lanes(const std::array<float, leaf_block_size>& values) {
  static_assert(alignof(LeafBlock) >= sizeof(LeafLanes));
  return reinterpret_cast<const LeafLanes&>(values);
}

/// One bit for each lane of the mask that is true (−1).
template <class Arithmetic>
SPHAERA_INLINE LaneSet set_of(const LeafMask& mask) {
#if defined(__SSE2__)
#if !defined(__clang__)  // which checks operands before it inlines this where AVX2 is at hand
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

// The functions below return lanes by reference: vectors returned by value have another ABI with AVX.
// Compilers warn about that even though these functions are always inlined.

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
SPHAERA_INLINE void take_roots(LeafLanes& x) {
#if defined(__SSE2__)
  __m128 halves[2];
  std::memcpy(halves, &x, sizeof x);
  halves[0] = _mm_sqrt_ps(halves[0]), halves[1] = _mm_sqrt_ps(halves[1]);
  std::memcpy(&x, halves, sizeof x);
#else
  for (std::uint32_t lane = 0; lane < leaf_block_size; ++lane) x[lane] = __builtin_sqrtf(x[lane]);
#endif
}

/// The ray of a walk through one frame, as leaf blocks need it.
struct LeafRay {
  float origin[3], direction[3];
  float inverse;       ///< 1 / d·d
  bool within_limits;  ///< [0, 1] stands for no more than [t_min, t_max]

  static constexpr float least_square = 1e-30f;  ///< of d·d; below it τ̂ = 0

  LeafRay() = default;
  SPHAERA_INLINE explicit LeafRay(const LocalRay& r)
      : origin{r.origin[0], r.origin[1], r.origin[2]},
        direction{r.direction[0], r.direction[1], r.direction[2]},
        within_limits(r.s0 == r.s0) {
    const float square =
        direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2];
    inverse = square > least_square ? 1 / square : 0;
  }
};

inline constexpr float leaf_slack = 40 * 0x1p-24f;  ///< G, proofs.md, section 3

/// The closest approach of a path to each sphere center of a leaf block, for 0 ≤ τ ≤ tfar, and the squared
/// distance there.
struct Approach {
  LeafLanes t, square;

  template <class Arithmetic>
  SPHAERA_INLINE Approach(Arithmetic, const LeafBlock& leaf, const LeafRay& ray, float tfar);
};

template <class Arithmetic>
SPHAERA_INLINE Approach::Approach(Arithmetic, const LeafBlock& leaf, const LeafRay& ray, float tfar) {
  const LaneVectors l = {ray.origin[0] - lanes(leaf.x), ray.origin[1] - lanes(leaf.y),
                         ray.origin[2] - lanes(leaf.z)};
  LaneVectors d;
  set_all<Arithmetic>(d.x, ray.direction[0]);
  set_all<Arithmetic>(d.y, ray.direction[1]);
  set_all<Arithmetic>(d.z, ray.direction[2]);
  LeafLanes last;
  set_all<Arithmetic>(last, tfar);
  const LeafLanes zero{};
  set_dot<Arithmetic>(t, l, d);
  t *= -ray.inverse;
  t = t > zero ? t : zero;
  t = t < last ? t : last;
  LaneVectors v = d;
  multiply_add<Arithmetic>(v.x, t, l.x);
  multiply_add<Arithmetic>(v.y, t, l.y);
  multiply_add<Arithmetic>(v.z, t, l.z);
  set_dot<Arithmetic>(square, v, v);
}

/// The spheres that the path touches at its closest approach. Tests pass a smaller slack to see spheres lost.
template <class Arithmetic>
SPHAERA_INLINE LaneHits touched(const LeafBlock& leaf, const LeafRay& ray, const Approach& closest,
                                float slack = leaf_slack) {
  const LeafLanes r = lanes(leaf.radius), outer = r + slack, inner = r - slack;
  const LaneSet maybe = set_of<Arithmetic>(closest.square <= outer * outer);
  if (maybe == 0 || !ray.within_limits) return {maybe, 0, 0};
  return {maybe, set_of<Arithmetic>((inner >= LeafLanes{}) & (closest.square <= inner * inner)), 0};
}

/// Bounds of the τ at which a path enters each sphere.
struct LeafEntries {
  std::array<float, leaf_block_size> low, high;
};

inline constexpr float entry_slack = 48 * 0x1p-24f;         ///< along the path; proofs.md, section 5
inline constexpr float entry_square_slack = 40 * 0x1p-24f;  ///< K / (r + 64w); proofs.md, section 5

/// Among spheres touched for certain, finds those that the path certainly enters after τ = 0 and by tfar, and
/// bounds their entries. Tests pass a smaller share of the slacks to see wrong bounds.
template <class Arithmetic>
SPHAERA_INLINE LaneSet timed(const LeafBlock& leaf, const LeafRay& ray, const Approach& closest, float tfar,
                             LeafEntries& entries, float share = 1) {
  const LeafLanes r = lanes(leaf.radius), zero{}, last = zero + tfar;
  const LeafLanes square = r * r - closest.square, slack = (r + 64 * 0x1p-24f) * (share * entry_square_slack);
  LeafLanes near = square - slack, far = square + slack;
  near = near > zero ? near : zero;
  const float inverse = __builtin_sqrtf(ray.inverse);
  take_roots(near), take_roots(far);
  const LeafLanes low = closest.t - (far + share * entry_slack) * inverse,
                  high = closest.t - (near - share * entry_slack) * inverse;
  std::memcpy(&entries.low, &low, sizeof low);
  std::memcpy(&entries.high, &high, sizeof high);
  return set_of<Arithmetic>((low > zero) & (closest.t < last) & (high <= last));
}

inline constexpr float moving_slack = 72 * 0x1p-24f;  ///< G for moving spheres; proofs.md, section 6

/// The scene's time at τ = 0 of a walk, and the time from τ = 0 to τ = 1.
struct WalkTime {
  float first, length;

  WalkTime() = default;
  /// A time too large for float becomes NaN: all moving spheres are then candidates.
  SPHAERA_INLINE WalkTime(double t, double span) : first(kept(t)), length(kept(span)) {}

 private:
  SPHAERA_INLINE static float kept(double t) {
    const double size = t < 0 ? -t : t;
    return size <= 0x1p70 ? static_cast<float>(t) : std::numeric_limits<float>::quiet_NaN();
  }
};

/// The moving spheres, enlarged by `margin`, that the path may touch up to τ = tfar.
template <class Arithmetic>
SPHAERA_INLINE LaneSet touched_in_motion(const LeafBlock& leaf, const LeafVelocities& velocities,
                                         const LeafRay& ray, const WalkTime& time, float tfar, float margin) {
  const LeafLanes &wx = lanes(velocities.x), &wy = lanes(velocities.y), &wz = lanes(velocities.z), zero{};
  const LeafLanes x = (ray.origin[0] - lanes(leaf.x)) - wx * time.first,
                  y = (ray.origin[1] - lanes(leaf.y)) - wy * time.first,
                  z = (ray.origin[2] - lanes(leaf.z)) - wz * time.first;
  const LeafLanes dx = ray.direction[0] - wx * time.length, dy = ray.direction[1] - wy * time.length,
                  dz = ray.direction[2] - wz * time.length;
  const LeafLanes square = dx * dx + dy * dy + dz * dz;
  LeafLanes t = square > zero + LeafRay::least_square ? (x * dx + y * dy + z * dz) / -square : zero;
  const LeafLanes last = zero + tfar;
  t = t > zero ? t : zero;
  t = t < last ? t : last;
  const LeafLanes vx = x + t * dx, vy = y + t * dy, vz = z + t * dz,
                  limit = lanes(leaf.radius) + (margin + moving_slack * (1 + margin)),
                  distance = vx * vx + vy * vy + vz * vz;
  // A NaN distance rejects no sphere. An empty lane has a NaN limit and is rejected.
  return set_of<Arithmetic>((limit >= zero) & ~(distance > limit * limit));
}

/// Squared distances from a point to the centers, and the spheres that may have a point within reach of it;
/// proofs.md, section 7.
template <class Arithmetic>
SPHAERA_INLINE LaneSet reached(const LeafBlock& leaf, const std::array<float, 3>& point, float reach,
                               LeafLanes& square) {
  constexpr float w = 0x1p-24f;
  const LeafLanes x = point[0] - lanes(leaf.x), y = point[1] - lanes(leaf.y), z = point[2] - lanes(leaf.z);
  square = x * x + y * y + z * z;
  const LeafLanes limit = (lanes(leaf.radius) + (reach + 2 * w)) * (1 + 8 * w);
  return set_of<Arithmetic>(square <= limit * limit);
}

/// A float below `distance` in local units, by more than its rounding.
SPHAERA_INLINE float inner_reach(const LocalPoint& local, double distance) {
  const double inner = distance * local.scale - 0x1p-60;
  return static_cast<float>(inner - 0x1p-22 * __builtin_fabs(inner));
}

/// Bounds of the signed distances |x − c| − r from a point to the spheres of a leaf block.
struct LeafDistances {
  std::array<float, leaf_block_size> low, high;
  double unit;  ///< world units in a local unit
};

/// Bounds the distances from the squares that `reached` gives. `margin` is the error of the point
/// (LocalPoint). Returns the spheres within `inner` for certain; proofs.md, section 7.
template <class Arithmetic>
SPHAERA_INLINE LaneSet measure(const LeafBlock& leaf, LeafLanes square, float margin, float inner,
                               LeafDistances& distances) {
  constexpr float w = 0x1p-24f;
  take_roots(square);
  const LeafLanes zero{}, distance = square - lanes(leaf.radius),
                          error = (distance > zero ? distance : zero) * (8 * w) + (margin + 12 * w),
                          low = distance - error, high = distance + error;
  std::memcpy(&distances.low, &low, sizeof low);
  std::memcpy(&distances.high, &high, sizeof high);
  return set_of<Arithmetic>(high <= zero + inner);
}

/// The same for moving spheres at an instant.
template <class Arithmetic>
SPHAERA_INLINE LaneSet reached_in_motion(const LeafBlock& leaf, const LeafVelocities& velocities,
                                         const std::array<float, 3>& point, const WalkTime& time,
                                         float reach) {
  constexpr float w = 0x1p-24f;
  const LeafLanes x = (point[0] - lanes(leaf.x)) - lanes(velocities.x) * time.first,
                  y = (point[1] - lanes(leaf.y)) - lanes(velocities.y) * time.first,
                  z = (point[2] - lanes(leaf.z)) - lanes(velocities.z) * time.first, zero{};
  const LeafLanes square = x * x + y * y + z * z,
                  limit = (lanes(leaf.radius) + (reach + 24 * w)) * (1 + 16 * w);
  // A NaN distance rejects no sphere. An empty lane has a NaN limit and is rejected.
  return set_of<Arithmetic>((limit >= zero) & ~(square > limit * limit));
}

}  // namespace sphaera::index
