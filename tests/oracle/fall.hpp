#pragma once
/// \file A bullet under gravity as a sphere sees it, in 100 digits.

#include <sphaera/bullet.hpp>
#include <sphaera/sphere.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/oracle/place.hpp>
#include <tests/oracle/roots.hpp>

namespace sphaera::oracle {

/// The center of the bullet less that of the sphere, l + d t + g t²/2, t after the bullet's start.
struct Fall {
  Place l, d, g;
  Real r;  ///< sum of the radii

  Fall(const Bullet& b, const Sphere& s, const Vec3& drift, const Vec3& gravity) : g(real(gravity)) {
    const Sight sight = oracle::sight(b, s, drift);
    l = real(sight.l), d = real(sight.d), r = to_real(sight.r);
  }
  Place at(const Real& t) const { return along(along(l, t, d), t * t / 2, g); }
  Place speed(const Real& t) const { return along(d, t, g); }
  /// The time of a touch, by Newton's method from t, which must already be good to many digits.
  Real root(Real t) const {
    for (int i = 0; i < 6; ++i) {
      const Place v = at(t);
      t -= (dot(v, v) - r * r) / (2 * dot(v, speed(t)));
    }
    return t;
  }
};

/// ∫ |V + G x| dx from 0 to t, computed as a difference of two integrals that start at the apex.
inline Real path_length(const Vec3& velocity, const Vec3& gravity, const Real& t) {
  const Place v = real(velocity), down = real(gravity);
  const Real g = length(down), fall = dot(v, down) / g, across = length(along(v, -fall / g, down));
  const auto arc_sine = [](const Real& x) -> Real {  // hyperbolic
    const Real size = abs(x), y = log(size + sqrt(size * size + 1));
    return x < 0 ? Real(-y) : y;
  };
  const auto integral = [&](const Real& x) -> Real {
    const Real y = g * x, curved = across == 0 ? Real(0) : across * across / g * arc_sine(y / across);
    return (x * sqrt(across * across + y * y) + curved) / 2;
  };
  return integral(fall / g + t) - integral(fall / g);
}

}  // namespace sphaera::oracle
