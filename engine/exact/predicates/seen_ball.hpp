#pragma once
/// \file A ball relative to an observer: its center as an exact sum of two doubles.

#include <exact/predicates/filter.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::exact {

/// offset + offset_low = center − observer, exactly. A star at infinity is the ball of radius
/// |offset|·sin(angular radius) around a point in its direction.
struct SeenBall {
  Vec3 offset;
  Vec3 offset_low;
  double radius;
  filter::Estimate power;  ///< |offset|² − radius²: > 0 if the observer is outside
};

SPHAERA_INLINE SeenBall seen_ball(const Vec3& offset, const Vec3& offset_low, double radius) {
  return {offset, offset_low, radius, filter::square_difference<Plain>(offset, radius)};
}

SPHAERA_INLINE SeenBall seen_ball(const Vec3& observer, const Sphere& sphere) {
  const Vec3 &c = sphere.center, &o = observer;
  const TwoDouble x = two_diff(c.x, o.x), y = two_diff(c.y, o.y), z = two_diff(c.z, o.z);
  return seen_ball({x.hi, y.hi, z.hi}, {x.lo, y.lo, z.lo}, sphere.radius);
}

}  // namespace sphaera::exact
