#pragma once
/// \file A ray or segment prepared for many sphere tests.

#include <exact/numbers/arithmetic.hpp>
#include <sphaera/ray.hpp>

namespace sphaera::exact {

/// The points origin + t·(direction + direction_low), t_min ≤ t ≤ t_max. If the direction is a rounded
/// difference (to − from of a segment; V − W of relative_path in in_motion.hpp), direction_low is its
/// rounding error, so the sum is exact; for a ray it is zero. Create a Path with `path_of`.
struct Path {
  Vec3 origin;
  Vec3 direction;
  Vec3 direction_low;
  double t_min, t_max;
  double a;      ///< direction·direction, rounded
  double floor;  ///< absolute part of the filter's error bounds (filter.hpp); infinite: always stage 2
};

/// The filter's floor: covers the underflow of products (proof 1) of lengths ≤ 2^201, by the domain, and
/// directions of 2^-240 … 2^240.
inline constexpr double length_floor = 0x1p-500;

/// True if the floor is finite for a direction whose greatest component has this magnitude.
SPHAERA_INLINE bool is_moderate(double size) {
  return (size > 0x1p-240) & (size < 0x1p240);  // & and not &&, which would be a branch
}

/// Sets a and the filter's floor of a path.
SPHAERA_INLINE Path prepared(Path path) {
  const Vec3& d = path.direction;
  path.a = dot(d, d);
  const double x = __builtin_fabs(d.x), y = __builtin_fabs(d.y), z = __builtin_fabs(d.z);
  const double xy = x > y ? x : y, size = xy > z ? xy : z;
  path.floor = infinity;
  if (is_moderate(size)) path.floor = length_floor;  // compiles to a select, not a jump
  return path;
}

/// The path that is the point x. `a` and `floor` are 0, so that the filter cannot use it.
SPHAERA_INLINE Path path_at(const Vec3& x) { return {x, {}, {}, 0, 0, 0, 0}; }

SPHAERA_INLINE Path path_of(const Ray& ray) {
  return prepared({ray.origin, ray.direction, {}, ray.t_min, ray.t_max, 0, 0});
}

SPHAERA_INLINE Path path_of(const Segment& segment) {
  const TwoDouble x = two_diff(segment.to.x, segment.from.x), y = two_diff(segment.to.y, segment.from.y),
                  z = two_diff(segment.to.z, segment.from.z);
  return prepared({segment.from, {x.hi, y.hi, z.hi}, {x.lo, y.lo, z.lo}, 0, 1, 0, 0});
}

}  // namespace sphaera::exact
