#pragma once
/// \file Eight spheres in a leaf: a float filter over all lanes at once that never rejects wrongly.
///
/// Everything is in the scaled units of a frame (frame.hpp), |x_i| ≤ H_i ≤ 1, w = 2^-24.
///
/// **Paths**. Let X(τ) be the path in exact arithmetic, o + τd what the walk is given, c, r the sphere, ĉ and
/// r̂ rounded to float. |X(τ) − (o + τd)| ≤ 3w an axis (frame.hpp), 5.2w; |ĉ − c| ≤ √3 w; l̂ = fl(o − ĉ), |l_i|
/// ≤ 2: 3.5w. So with m = min |l̂ + τd| over [0, tfar]
///     the sphere is touched there ⇒ m ≤ r + 10.4w.
/// The filter takes the distance at τ̂ = clamp(fl(−l̂·d)·fl(1/d·d), 0, tfar) instead. Dot products are off by
/// 3w|l||d| and 3w d·d, inverse and product by w each: |τ̂ − τ||d| ≤ 8w|l| ≤ 28w, clamping never adds to it,
/// and a path is straight: |l̂ + τ̂d|² ≤ m² + (28w)². v̂ = l̂ + τ̂d is rounded by 2w an axis (3.5w) and w|v|, its
/// square by 3w|v|², r̂ by w r, the threshold by 2w(r + G), r ≤ 1. With (r + G)² ≥ (r + 10.4w)² + (28w)² for
/// every r ≥ 0, that is G ≥ 29.9w, all together G ≥ 29.9w + 3.5w + 2.5w + w + 2w = 38.9w. `slack` = 40w.
/// (For d·d ≤ 1e-30, where it might underflow, τ̂ = 0: |τd| ≤ 1e-15.)
///
/// **For certain**: any τ̂ will do, the sphere holds X(τ̂) if |v̂| ≤ r̂ − G with G ≥ (5.2 + 1.8 + 3.5 + 3.5 + 2.5
/// + 1 + 2)w = 19.5w: the same slack. It needs X(τ̂) on the path: [0, 1] must stand for no more than [t_min,
/// t_max].
///
/// **When it is entered**, of a sphere touched for certain that the path does not start in: |X(τ1) − c| = r
/// first. Then |l̂ + τ1 d| = r̂ + e, |e| ≤ 11.4w, and τ1 does not lie behind the closest approach τ*, where the
/// path is inside: τ1 = τ* − √((r̂ + e)² − m²)/|d|. Where τ̂ was not cut, fl(r̂² − v̂²) is off from r̂² − m² by
/// 7w r̂ and 5w r̂² (v̂ and its square), (28w)² (τ̂), 2w r̂² (square and difference), and e adds 22.8w r̂ and
/// (11.4w)²: K = 40w (r̂ + 64w) covers all. Outside of the root there are the 28w of τ̂, and roundings: of the
/// root w, of fl(1/|d|) 3w, of the product w, of sums w and 3.5w: `entry_slack` = 48w along the path. A
/// sphere counts only if it is entered after τ = 0 and by tfar then, and if τ̂ < tfar was not cut.
///
/// **In motion**: the path against spheres that drift by ŵ(T0 + τΔT) from where they are at time 0, T0 + τΔT
/// the scene's time at τ, in float as everything is. They are in the frame then, too: |wT| ≤ 2. ŵ, T and
/// their product carry w each, of ≤ 2, for T0 and ΔT: 12.2w an axis; l̂ = fl(fl(o − ĉ) − ŵT0) 2w more, d̂ =
/// fl(d − ŵΔT), ≤ 4, 4w: together 18.2w an axis, 31.6w, so that m ≤ r + 42w; τ̂d̂ ≤ 4 makes v̂ off by 6w an
/// axis, 10.4w. (r + G)² ≥ (r + 42w)² + (28w)² for G ≥ 50.5w, and 10.4w + 2.5w + w + 2w: G ≥ 66.4w.
/// `moving_slack` = 72w. Spheres that count as met within a `margin` g of the path: coordinates and errors
/// are up to 1 + g times as large, and g has a rounding of its own.
///
/// **Balls** about x̂ = fl(x). `reach` (LocalPoint::reach) takes in the rounding of x̂ and a factor 1 + 8w. ĉ
/// is off by 1.8w, l̂ by w|l|, squares and sums by 2.5w|l|, r̂ and the sum by w each: relative errors of 4.5w
/// on |l|, 2w on r + reach. A sphere is within reach only if |l̂| ≤ (r̂ + reach + 2w)(1 + 8w).
///
/// Fused multiply-adds leave roundings out. A filter only spares work: one that is different in another
/// instruction set changes no answer.

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
/// LeafBlocks that hold n.
constexpr std::size_t leaf_blocks_for(std::size_t n) { return (n + leaf_block_size - 1) / leaf_block_size; }
inline constexpr std::uint32_t no_sphere = 0xffffffff;

/// Centers and radii in local float units. An empty lane has NaN for a radius: it fails every comparison.
struct alignas(64) LeafBlock {
  std::array<float, leaf_block_size> x{}, y{}, z{}, radius;

  /// All lanes empty.
  LeafBlock() { radius.fill(std::numeric_limits<float>::quiet_NaN()); }
};

/// Of spheres that move: local units a time.
struct alignas(64) LeafVelocities {
  std::array<float, leaf_block_size> x{}, y{}, z{};

  void set(std::size_t lane, const Vec3& velocity) {
    x[lane] = kept(velocity.x), y[lane] = kept(velocity.y), z[lane] = kept(velocity.z);
  }

 private:
  /// Far from over- and underflow of its product with a time (WalkTime): NaN, which makes its sphere a
  /// candidate, where it is too large; 0 where 2^70 of it, 2^-30 = w/64, do not matter.
  static float kept(double velocity) {
    const double size = velocity < 0 ? -velocity : velocity;
    if (size < 0x1p-100) return 0;
    return size <= 0x1p100 ? static_cast<float>(velocity) : std::numeric_limits<float>::quiet_NaN();
  }
};

/// Ids of a leaf block's spheres, its lanes from 0; `no_sphere` in empty lanes.
using LeafIds = std::array<std::uint32_t, leaf_block_size>;

/// One bit a lane.
using LaneSet = std::uint32_t;
inline constexpr LaneSet all_lanes = (1u << leaf_block_size) - 1;

/// Spheres that a path may touch; those of them that it touches for certain; and of those the ones of which
/// it is known when it enters them (LeafEntries).
struct LaneHits {
  LaneSet maybe, surely, timed;
};

using LeafLanes = float __attribute__((vector_size(leaf_block_size * sizeof(float)), may_alias));
using LeafMask = std::int32_t __attribute__((vector_size(leaf_block_size * sizeof(float))));

SPHAERA_INLINE const LeafLanes& lanes(const std::array<float, leaf_block_size>& values) {
  static_assert(alignof(LeafBlock) >= sizeof(LeafLanes));
  return reinterpret_cast<const LeafLanes&>(values);
}

/// A bit for each lane that is true (−1).
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

// What follows gives lanes by reference: vectors returned by value would have another ABI with AVX, as
// compilers warn, though nobody calls what is always inlined.

/// x in every lane.
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

/// x becomes x·y + z, with one rounding or two: bounds count two.
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

/// Lanes of three coordinates.
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

/// What is constant along a walk through one frame.
struct LeafRay {
  float origin[3], direction[3];
  float inverse;       ///< 1 / d·d
  bool within_limits;  ///< [0, 1] stands for no more than [t_min, t_max]

  static constexpr float least_square = 1e-30f;  ///< of the direction; below it τ̂ = 0

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

inline constexpr float leaf_slack = 40 * 0x1p-24f;  ///< G, above

/// Where the path comes closest to a leaf block's spheres, from τ = 0 to tfar, and the squares of their
/// distances.
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

/// Which spheres does the path touch there? Tests pass a smaller slack to see spheres lost.
template <class Arithmetic>
SPHAERA_INLINE LaneHits touched(const LeafBlock& leaf, const LeafRay& ray, const Approach& closest,
                                float slack = leaf_slack) {
  const LeafLanes r = lanes(leaf.radius), outer = r + slack, inner = r - slack;
  const LaneSet maybe = set_of<Arithmetic>(closest.square <= outer * outer);
  if (maybe == 0 || !ray.within_limits) return {maybe, 0, 0};
  return {maybe, set_of<Arithmetic>((inner >= LeafLanes{}) & (closest.square <= inner * inner)), 0};
}

/// Between which τ a path enters spheres.
struct LeafEntries {
  std::array<float, leaf_block_size> low, high;
};

inline constexpr float entry_slack = 48 * 0x1p-24f;         ///< along the path, above
inline constexpr float entry_square_slack = 40 * 0x1p-24f;  ///< K / (r + 64w), above

/// Of spheres touched for certain: those that the path certainly enters after τ = 0 and by tfar, and where.
/// Tests pass a smaller share of the slacks to see wrong bounds.
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

inline constexpr float moving_slack = 72 * 0x1p-24f;  ///< G in motion, above

/// The time, in the scene's, at which a walk is at τ = 0, and how much of it goes by until τ = 1.
struct WalkTime {
  float first, length;

  WalkTime() = default;
  /// NaN where it is too long: then all spheres that move are candidates.
  SPHAERA_INLINE WalkTime(double t, double span) : first(kept(t)), length(kept(span)) {}

 private:
  SPHAERA_INLINE static float kept(double t) {
    const double size = t < 0 ? -t : t;
    return size <= 0x1p70 ? static_cast<float>(t) : std::numeric_limits<float>::quiet_NaN();
  }
};

/// Which spheres, larger by `margin`, does the path touch up to τ = tfar, all of them on the move?
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
  // A distance that is no number rejects nobody; empty lanes have no limit.
  return set_of<Arithmetic>((limit >= zero) & ~(distance > limit * limit));
}

/// Which spheres may have a point within reach of the point?
template <class Arithmetic>
SPHAERA_INLINE LaneSet reached(const LeafBlock& leaf, const std::array<float, 3>& point, float reach) {
  constexpr float w = 0x1p-24f;
  const LeafLanes x = point[0] - lanes(leaf.x), y = point[1] - lanes(leaf.y), z = point[2] - lanes(leaf.z);
  const LeafLanes square = x * x + y * y + z * z,
                  limit = (lanes(leaf.radius) + (reach + 2 * w)) * (1 + 8 * w);
  return set_of<Arithmetic>(square <= limit * limit);
}

}  // namespace sphaera::index
