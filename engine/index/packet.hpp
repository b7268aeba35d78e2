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
/// **In motion**: the path against spheres that drift by ŵ(T0 + τΔT) from where they are at time 0, T0 + τΔT
/// the scene's time at τ, in float as everything is. They are in the frame then, too: |wT| ≤ 2. ŵ, T and
/// their product carry w each, of ≤ 2, for T0 and ΔT: 12.2w an axis; l̂ = fl(fl(o − ĉ) − ŵT0) 2w more, d̂ =
/// fl(d − ŵΔT), ≤ 4, 4w: together 18.2w an axis, 31.6w, so that m ≤ r + 42w; τ̂d̂ ≤ 4 makes v̂ off by 6w an
/// axis, 10.4w. (r + G)² ≥ (r + 42w)² + (28w)² for G ≥ 50.5w, and 10.4w + 2.5w + w + 2w: G ≥ 66.4w.
/// `moving_slack` = 72w. Spheres that count as met within a `growth` g of the path: coordinates and errors
/// are up to 1 + g times as large, and g has a rounding of its own.
///
/// **Balls** about x̂ = fl(x). `reach` (LocalPoint::reach) takes in the rounding of x̂ and a factor 1 + 8w. ĉ
/// is off by 1.8w, l̂ by w|l|, squares and sums by 2.5w|l|, r̂ and the sum by w each: relative errors of 4.5w
/// on |l|, 2w on r + reach. A sphere is within reach only if |l̂| ≤ (r̂ + reach + 2w)(1 + 8w).
///
/// The arithmetic is unfused and the same in every instruction set; a filter only spares work, so that even a
/// different one would not change an answer.

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>
#include <cstdint>
#include <cstring>
#include <index/frame.hpp>
#include <limits>
#include <type_traits>

namespace sphaera::index {

inline constexpr std::uint32_t packet_size = 8;
/// Packets that hold n.
constexpr std::size_t packets_for(std::size_t n) { return (n + packet_size - 1) / packet_size; }
inline constexpr std::uint32_t no_sphere = 0xffffffff;

/// Centers and radii in local float units. An empty lane has NaN for a radius: it fails every comparison.
struct alignas(64) PacketFloats {
  std::array<float, packet_size> x{}, y{}, z{}, radius;

  /// All lanes empty.
  PacketFloats() { radius.fill(std::numeric_limits<float>::quiet_NaN()); }
  void set(std::size_t lane, const LocalBall& ball) {
    x[lane] = ball.center[0], y[lane] = ball.center[1], z[lane] = ball.center[2];
    radius[lane] = ball.radius;
  }
};

/// Of spheres that move: local units a time.
struct alignas(64) PacketVelocities {
  std::array<float, packet_size> x{}, y{}, z{};

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

/// Ids of a packet's spheres, its lanes from 0; `no_sphere` in empty lanes.
using PacketIds = std::array<std::uint32_t, packet_size>;

/// One bit a lane.
using LaneSet = std::uint32_t;
inline constexpr LaneSet all_lanes = (1u << packet_size) - 1;

/// Spheres that a path may touch, and those of them that it touches for certain.
struct Touch {
  LaneSet maybe, surely;
};

using PacketLanes = float __attribute__((vector_size(packet_size * sizeof(float)), may_alias));
using PacketMask = std::int32_t __attribute__((vector_size(packet_size * sizeof(float))));

SPHAERA_INLINE const PacketLanes& lanes(const std::array<float, packet_size>& values) {
  static_assert(alignof(PacketFloats) >= sizeof(PacketLanes));
  return reinterpret_cast<const PacketLanes&>(values);
}

/// A bit for each lane that is true (−1).
template <class Arithmetic>
SPHAERA_INLINE LaneSet set_of(const PacketMask& mask) {
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
  for (std::uint32_t lane = 0; lane < packet_size; ++lane) set |= (mask[lane] & 1u) << lane;
  return set;
#endif
}

/// What is constant along a walk through one frame.
struct PacketRay {
  float origin[3], direction[3];
  float inverse;       ///< 1 / d·d
  bool within_limits;  ///< [0, 1] stands for no more than [t_min, t_max]

  PacketRay() = default;
  SPHAERA_INLINE explicit PacketRay(const LocalRay& r)
      : origin{r.origin[0], r.origin[1], r.origin[2]},
        direction{r.direction[0], r.direction[1], r.direction[2]},
        within_limits(r.s0 == r.s0) {
    const float square =
        direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2];
    inverse = square > 1e-30f ? 1 / square : 0;
  }
};

inline constexpr float packet_slack = 40 * 0x1p-24f;  ///< G, above

/// Which spheres does the path touch up to τ = tfar? Tests pass a smaller slack to see spheres lost.
template <class Arithmetic>
SPHAERA_INLINE Touch touched(const PacketFloats& packet, const PacketRay& ray, float tfar,
                             float slack = packet_slack) {
  const PacketLanes x = ray.origin[0] - lanes(packet.x), y = ray.origin[1] - lanes(packet.y),
                    z = ray.origin[2] - lanes(packet.z), r = lanes(packet.radius), zero{};
  const float *d = ray.direction, inverse = -ray.inverse;
  PacketLanes t = (x * d[0] + y * d[1] + z * d[2]) * inverse;
  const PacketLanes last = zero + tfar;
  t = t > zero ? t : zero;
  t = t < last ? t : last;
  const PacketLanes vx = x + t * d[0], vy = y + t * d[1], vz = z + t * d[2];
  const PacketLanes square = vx * vx + vy * vy + vz * vz, outer = r + slack, inner = r - slack;
  const LaneSet maybe = set_of<Arithmetic>(square <= outer * outer);
  if (maybe == 0 || !ray.within_limits) return {maybe, 0};
  return {maybe, set_of<Arithmetic>((inner >= zero) & (square <= inner * inner))};
}

inline constexpr float moving_slack = 72 * 0x1p-24f;  ///< G in motion, above

/// The time, in the scene's, at which a walk is at τ = 0, and how much of it goes by until τ = 1.
struct WalkTime {
  float first, length;

  /// NaN where it is too long: then all spheres that move are candidates.
  SPHAERA_INLINE WalkTime(double t, double span) : first(kept(t)), length(kept(span)) {}

 private:
  SPHAERA_INLINE static float kept(double t) {
    const double size = t < 0 ? -t : t;
    return size <= 0x1p70 ? static_cast<float>(t) : std::numeric_limits<float>::quiet_NaN();
  }
};

/// Which spheres, larger by `growth`, does the path touch up to τ = tfar, all of them on the move?
template <class Arithmetic>
SPHAERA_INLINE LaneSet touched_in_motion(const PacketFloats& packet, const PacketVelocities& velocities,
                                         const PacketRay& ray, const WalkTime& time, float tfar,
                                         float growth) {
  const PacketLanes &wx = lanes(velocities.x), &wy = lanes(velocities.y), &wz = lanes(velocities.z), zero{};
  const PacketLanes x = (ray.origin[0] - lanes(packet.x)) - wx * time.first,
                    y = (ray.origin[1] - lanes(packet.y)) - wy * time.first,
                    z = (ray.origin[2] - lanes(packet.z)) - wz * time.first;
  const PacketLanes dx = ray.direction[0] - wx * time.length, dy = ray.direction[1] - wy * time.length,
                    dz = ray.direction[2] - wz * time.length;
  const PacketLanes square = dx * dx + dy * dy + dz * dz;
  PacketLanes t = square > zero + 1e-30f ? (x * dx + y * dy + z * dz) / -square : zero;
  const PacketLanes last = zero + tfar;
  t = t > zero ? t : zero;
  t = t < last ? t : last;
  const PacketLanes vx = x + t * dx, vy = y + t * dy, vz = z + t * dz,
                    limit = lanes(packet.radius) + (growth + moving_slack * (1 + growth)),
                    distance = vx * vx + vy * vy + vz * vz;
  // A distance that is no number rejects nobody; empty lanes have no limit.
  return set_of<Arithmetic>((limit >= zero) & ~(distance > limit * limit));
}

/// Which spheres may have a point within reach of the point?
template <class Arithmetic>
SPHAERA_INLINE LaneSet reached(const PacketFloats& packet, const std::array<float, 3>& point, float reach) {
  constexpr float w = 0x1p-24f;
  const PacketLanes x = point[0] - lanes(packet.x), y = point[1] - lanes(packet.y),
                    z = point[2] - lanes(packet.z);
  const PacketLanes square = x * x + y * y + z * z,
                    limit = (lanes(packet.radius) + (reach + 2 * w)) * (1 + 8 * w);
  return set_of<Arithmetic>(square <= limit * limit);
}

}  // namespace sphaera::index
