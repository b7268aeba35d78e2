#pragma once
/// \file A float filter over all lanes of a leaf block at once, which never rejects wrongly: the path or the
/// point of a walk against the block's spheres.
///
/// All numbers are in the scaled units of a frame (frame.hpp): |x_i| ≤ H_i ≤ 1, w = 2^-24. The error bounds
/// are derived in ../proofs.md, sections 3 to 7: paths, spheres touched for certain, entry, motion, balls.
/// Symbols below are theirs.
///
/// A filter only saves work. It may differ between instruction sets without changing an answer.

#include <algorithm>
#include <array>
#include <cmath>
#include <index/boxes/frame.hpp>
#include <index/boxes/leaf_block.hpp>
#include <limits>

namespace sphaera::index {

/// The ray of a walk through one frame, as leaf blocks need it.
struct LeafRay {
  float origin[3], direction[3];
  float inverse;       ///< 1 / (d·d)
  bool within_limits;  ///< every τ in [0, 1] corresponds to a t in [t_min, t_max]

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

  Approach() = default;
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

/// The spheres that the path may touch, and those that it touches for certain, at its closest approach. Tests
/// pass a smaller slack to see spheres lost.
template <class Arithmetic>
SPHAERA_INLINE LaneHits touched(const LeafBlock& leaf, const LeafRay& ray, const Approach& closest,
                                float slack = leaf_slack) {
  const LeafLanes r = lanes(leaf.radius), outer = r + slack, inner = r - slack;
  const LaneSet maybe = lanes_of<Arithmetic>(closest.square <= outer * outer);
  if (maybe == 0 || !ray.within_limits) return {maybe, 0, 0};
  return {maybe, lanes_of<Arithmetic>((inner >= LeafLanes{}) & (closest.square <= inner * inner)), 0};
}

/// Bounds of the τ at which a path enters each sphere.
struct LeafEntries {
  std::array<float, leaf_block_size> low, high;
};

inline constexpr float entry_slack = 48 * 0x1p-24f;         ///< along the path; proofs.md, section 5
inline constexpr float entry_square_slack = 40 * 0x1p-24f;  ///< K / (r + 64w); proofs.md, section 5

/// Among spheres of radius r that are touched for certain, finds those that the path certainly enters after τ
/// = 0 and by tfar, and bounds their entries. `inverse_length` is 1/|d|, `share` a factor of the slacks: 1
/// for a path among spheres at rest, and less in tests that want to see wrong bounds.
template <class Arithmetic>
SPHAERA_INLINE LaneSet bound_entries(const LeafLanes& r, const Approach& closest,
                                     const LeafLanes& inverse_length, float tfar, float share,
                                     LeafEntries& entries) {
  const LeafLanes zero{}, last = zero + tfar;
  const LeafLanes square = r * r - closest.square, slack = (r + 64 * 0x1p-24f) * (share * entry_square_slack);
  LeafLanes near = square - slack, far = square + slack;
  near = near > zero ? near : zero;
  take_roots<Arithmetic>(near), take_roots<Arithmetic>(far);
  const LeafLanes low = closest.t - (far + share * entry_slack) * inverse_length,
                  high = closest.t - (near - share * entry_slack) * inverse_length;
  std::memcpy(&entries.low, &low, sizeof low);
  std::memcpy(&entries.high, &high, sizeof high);
  return lanes_of<Arithmetic>((low > zero) & (closest.t < last) & (high <= last));
}
/// The same for the spheres of a leaf block at rest.
template <class Arithmetic>
SPHAERA_INLINE LaneSet with_bounds(const LeafBlock& leaf, const LeafRay& ray, const Approach& closest,
                                   float tfar, LeafEntries& entries, float share = 1) {
  LeafLanes inverse_length;
  set_all<Arithmetic>(inverse_length, __builtin_sqrtf(ray.inverse));
  return bound_entries<Arithmetic>(lanes(leaf.radius), closest, inverse_length, tfar, share, entries);
}

inline constexpr float moving_slack = 72 * 0x1p-24f;  ///< G for moving spheres; proofs.md, section 6

/// The factor of the slacks of `bound_entries` for a flight; proofs.md, section 6.
inline constexpr float flight_share = 3;

/// The scene's time at τ = 0 of a walk, and the time from τ = 0 to τ = 1.
struct WalkTime {
  float first, length;

  WalkTime() = default;
  /// A time beyond ±2^70 becomes NaN: all moving spheres are then candidates.
  SPHAERA_INLINE WalkTime(double t, double span) : first(kept(t)), length(kept(span)) {}

 private:
  SPHAERA_INLINE static float kept(double t) {
    const double size = t < 0 ? -t : t;
    return size <= 0x1p70 ? static_cast<float>(t) : std::numeric_limits<float>::quiet_NaN();
  }
};

/// The closest approach of a path to each moving sphere, and the squared length of the path relative to it.
struct ApproachInMotion : Approach {
  LeafLanes length_square;

  template <class Arithmetic>
  SPHAERA_INLINE ApproachInMotion(Arithmetic, const LeafBlock& leaf, const LeafVelocities& velocities,
                                  const LeafRay& ray, const WalkTime& time, float tfar) {
    const LeafLanes &wx = lanes(velocities.x), &wy = lanes(velocities.y), &wz = lanes(velocities.z), zero{};
    const LeafLanes x = (ray.origin[0] - lanes(leaf.x)) - wx * time.first,
                    y = (ray.origin[1] - lanes(leaf.y)) - wy * time.first,
                    z = (ray.origin[2] - lanes(leaf.z)) - wz * time.first;
    const LeafLanes dx = ray.direction[0] - wx * time.length, dy = ray.direction[1] - wy * time.length,
                    dz = ray.direction[2] - wz * time.length;
    length_square = dx * dx + dy * dy + dz * dz;
    t = length_square > zero + LeafRay::least_square ? (x * dx + y * dy + z * dz) / -length_square : zero;
    const LeafLanes last = zero + tfar;
    t = t > zero ? t : zero;
    t = t < last ? t : last;
    const LeafLanes vx = x + t * dx, vy = y + t * dy, vz = z + t * dz;
    square = vx * vx + vy * vy + vz * vz;
  }
};

/// The spheres that a path may touch at its closest approach: at most `search_radius` away from the path. A
/// NaN distance rejects no sphere. An empty lane has a NaN radius and is rejected.
template <class Arithmetic>
SPHAERA_INLINE LaneSet may_touch(const LeafBlock& leaf, const Approach& closest, float search_radius) {
  const LeafLanes limit = lanes(leaf.radius) + search_radius;
  return lanes_of<Arithmetic>((limit >= LeafLanes{}) & ~(closest.square > limit * limit));
}

/// Squared distances from a point to the centers; proofs.md, section 7.
SPHAERA_INLINE void put_squares(const LeafBlock& leaf, const std::array<float, 3>& point, LeafLanes& square) {
  const LeafLanes x = point[0] - lanes(leaf.x), y = point[1] - lanes(leaf.y), z = point[2] - lanes(leaf.z);
  square = x * x + y * y + z * z;
}

/// The same, and the spheres that may have a point within the search radius of the point.
template <class Arithmetic>
SPHAERA_INLINE LaneSet reached(const LeafBlock& leaf, const std::array<float, 3>& point, float search_radius,
                               LeafLanes& square) {
  constexpr float w = 0x1p-24f;
  put_squares(leaf, point, square);
  const LeafLanes limit = (lanes(leaf.radius) + (search_radius + 2 * w)) * (1 + 8 * w);
  return lanes_of<Arithmetic>(square <= limit * limit);
}

/// A float below `distance` in local units, by more than its rounding.
SPHAERA_INLINE float inner_radius(const LocalPoint& local, double distance) {
  const double inner = distance * local.scale - 0x1p-60;
  return static_cast<float>(inner - 0x1p-22 * __builtin_fabs(inner));
}

/// Spheres within `inner` (inner_radius) for certain, from the squares that `reached` gives. `margin` is the
/// error of the point (LocalPoint); proofs.md, section 7.
template <class Arithmetic>
SPHAERA_INLINE LaneSet reached_surely(const LeafBlock& leaf, const LeafLanes& squares, float margin,
                                      float inner) {
  constexpr float w = 0x1p-24f;
  const LeafLanes limit = (lanes(leaf.radius) + (inner - (margin + 4 * w))) * (1 - 8 * w);
  return lanes_of<Arithmetic>((limit >= LeafLanes{}) & (squares <= limit * limit));
}

/// Bounds of the signed distances |x − c| − r from a point to the spheres of a leaf block.
struct LeafDistances {
  std::array<float, leaf_block_size> low, high;
  double unit;  ///< world units in a local unit
};

/// Signed distances from a point to the spheres, from the squares that `put_squares` gives.
template <class Arithmetic>
SPHAERA_INLINE void put_distances(const LeafBlock& leaf, const LeafLanes& squares, LeafLanes& distances) {
  distances = squares;
  take_roots<Arithmetic>(distances);
  distances -= lanes(leaf.radius);
}

/// Error bounds of a distance computed in lanes: the part relative to a positive distance, and the absolute
/// part besides `margin`.
inline constexpr float distance_share = 0x1p-21f, distance_slack = 12 * 0x1p-24f;

/// Bounds the error of a distance computed in lanes.
SPHAERA_INLINE float distance_error(float distance, float margin) {
  return std::max(distance, 0.0f) * distance_share + (margin + distance_slack);
}
/// A limit: a sphere whose computed distance is greater is surely farther away than a sphere with the
/// computed distance `least`.
SPHAERA_INLINE float last_rival(float least, float margin) {
  const float both = least + distance_error(least, margin) + (margin + distance_slack);
  return both + std::fabs(both) * (2 * distance_share);
}

/// Bounds the distances from the squares that `reached` gives. `margin` is the error of the point
/// (LocalPoint); proofs.md, section 7.
template <class Arithmetic>
SPHAERA_INLINE void measure(const LeafBlock& leaf, const LeafLanes& squares, float margin, LeafLanes& low,
                            LeafLanes& high) {
  LeafLanes distance;
  put_distances<Arithmetic>(leaf, squares, distance);
  const LeafLanes zero{},
      error = (distance > zero ? distance : zero) * distance_share + (margin + distance_slack);
  low = distance - error, high = distance + error;
}
/// The same, stored in `distances`. Returns the spheres within `inner` for certain.
template <class Arithmetic>
SPHAERA_INLINE LaneSet measure(const LeafBlock& leaf, const LeafLanes& squares, float margin, float inner,
                               LeafDistances& distances) {
  LeafLanes low, high;
  measure<Arithmetic>(leaf, squares, margin, low, high);
  std::memcpy(&distances.low, &low, sizeof low);
  std::memcpy(&distances.high, &high, sizeof high);
  return lanes_of<Arithmetic>(high <= LeafLanes{} + inner);
}

/// As `reached`, for moving spheres at an instant, without the squared distances.
template <class Arithmetic>
SPHAERA_INLINE LaneSet reached_in_motion(const LeafBlock& leaf, const LeafVelocities& velocities,
                                         const std::array<float, 3>& point, const WalkTime& time,
                                         float search_radius) {
  constexpr float w = 0x1p-24f;
  const LeafLanes x = (point[0] - lanes(leaf.x)) - lanes(velocities.x) * time.first,
                  y = (point[1] - lanes(leaf.y)) - lanes(velocities.y) * time.first,
                  z = (point[2] - lanes(leaf.z)) - lanes(velocities.z) * time.first, zero{};
  const LeafLanes square = x * x + y * y + z * z,
                  limit = (lanes(leaf.radius) + (search_radius + 24 * w)) * (1 + 16 * w);
  // A NaN distance rejects no sphere. An empty lane has a NaN limit and is rejected.
  return lanes_of<Arithmetic>((limit >= zero) & ~(square > limit * limit));
}

}  // namespace sphaera::index
