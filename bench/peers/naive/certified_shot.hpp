#pragma once
/// \file The naive peer's own test of a bullet and a moving sphere: the test of certified.hpp in the frame in
/// which the sphere rests. It shares nothing with engine/exact.

#include <bench/peers/naive/certified.hpp>
#include <sphaera/bullet.hpp>

namespace sphaera::bench {

/// A bullet in flight from `t_first` to `t_last`, times since the bullet's start.
struct FlightSection {
  Bullet bullet;
  double t_first, t_last;
};

/// A sphere and its velocity (null: at rest).
struct Target {
  const Sphere& sphere;
  const Vec3* velocity;
};

/// At the time t since the bullet's start, the vector between the centers is l + t d; bullet and sphere touch
/// where its length is `radius`.
struct Approach {
  Approach(const Bullet& bullet, const Target& target)
      : l(bullet.origin - target.sphere.center),
        d(bullet.velocity),
        radius(target.sphere.radius + bullet.radius),
        size_squared(dot(l, l)) {
    if (!target.velocity) return;
    const Vec3 drift = bullet.start * *target.velocity;
    size_squared = 2 * (size_squared + dot(drift, drift));
    l = l - drift, d = d - *target.velocity;
  }

  Vec3 l, d;
  double radius, size_squared;  ///< size_squared ≥ (|O − C| + |drift|)², where l = O − C − drift
};

/// The second stage of `certified_hit`.
CertifiedHit hit_in_quad(const FlightSection& shot, const Target& target);

/// Intersection of bullet and sphere. Precondition: their velocities differ.
///
/// With u = 2^-53 and m² = size_squared: l is off by 2u m, d and radius by u of themselves, so w = l × d by
/// (3 + 3.01·√2)u m|d| < 8u m|d|, hence, by 2xy ≤ εx² + y²/ε with ε = 2^-30, |ŵ|² by 2^-30 |ŵ|² + 2^-70
/// m²|d|². The slack below is twice that or more, and covers the few u of the sums and of a·r².
inline CertifiedHit certified_hit(const FlightSection& shot, const Target& target) {
  constexpr double cross_slack = 0x1p-29, offset_slack = 0x1p-69, tiniest = 0x1p-500;
  const Approach to(shot.bullet, target);
  const double a = dot(to.d, to.d);
  const Vec3 w = cross(to.l, to.d);
  const double limit = a * (to.radius * to.radius), miss = dot(w, w);
  const double discriminant = limit - miss, offset_squared = to.size_squared * a;
  const double slack = cross_slack * (miss + limit) + offset_slack * offset_squared + tiniest;
  if (discriminant < -slack) return {};
  if (!(discriminant > slack)) return hit_in_quad(shot, target);

  // The roots' numerators err by 8u m|d| (from b), slack/root (from √) and 6u of their own magnitude,
  // which is at most m|d| + root.
  constexpr double root_slack = 0x1p-49;
  const double root = std::sqrt(discriminant), b = -dot(to.l, to.d);
  const double enter = (b - root) / a, exit = (b + root) / a;
  const double error = (root_slack * (std::sqrt(offset_squared) + root) + slack / root) / a;
  if (enter - error > shot.t_last || exit + error < shot.t_first) return {};
  if (enter + error > shot.t_last || exit - error < shot.t_first) return hit_in_quad(shot, target);
  return {true, std::max(enter, shot.t_first), exit, error, enter < shot.t_first};
}

/// True if the bullet hits `a` before `b`.
bool enters_before(const FlightSection& shot, const Target& a, const Target& b);

}  // namespace sphaera::bench
