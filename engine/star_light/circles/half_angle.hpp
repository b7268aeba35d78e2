#pragma once
/// \file Angles from −π to π, in two forms that need no function but the square root. (Only angle_between
/// uses the arc tangent.) One form is the direction of the half angle, a vector of any length: complex
/// multiplication adds the angles. The other form is t = tan(φ/4), −1 … 1, which orders angles and keeps
/// their digits everywhere: dt/dφ = (1 + t²)/4.

#include <cmath>
#include <exact/numbers/elementary.hpp>
#include <star_light/circles/sky_circle.hpp>

namespace sphaera::star_light {

/// Direction of half the angle of v. The half angle of (−1, −0) is −π/2.
template <class N>
SPHAERA_INLINE Plane<N> half_direction(const Plane<N>& v) {
  const N length = root(dot(v, v));
  return {by_sign(v.x, length + v.x, absolute(v.y)), by_sign(v.x, v.y, with_sign(length - v.x, v.y))};
}

/// tan(φ/4) from the direction of φ/2 or the opposite direction.
template <class N>
SPHAERA_INLINE N quarter_tangent(const Plane<N>& half) {
  const N length = root(dot(half, half));
  return by_sign(half.x, half.y, -half.y) / (length + absolute(half.x));
}

/// Direction of φ/2 for t = tan(φ/4), a vector of length 1 + t².
inline Vec2 half_of(double t) { return {(1 - t) * (1 + t), 2 * t}; }

/// Parameter t of a circle's point n e + e·w. With û the central angle from the near point, κ w = (1 − cos û)
/// + i sin û and q = 2/κ · tan(û/2).
template <class Circle, class N>
SPHAERA_INLINE N quarter_at(const Circle& circle, const Plane<N>& w) {
  const N cosine = 1 - circle.curvature * w.x, sine = circle.curvature * w.y;
  const N length = root(cosine * cosine + sine * sine), twice = 2 * circle.scale;
  return quarter_tangent<N>({by_sign(cosine, length + cosine, absolute(circle.curvature * sine)),
                             by_sign(cosine, twice * w.y, with_sign(twice * (length - cosine), w.y))});
}

/// Angle from t = `from` to t = `to`, from ≤ to: 0 … 2π.
inline double angle_between(double from, double to) {
  return 4 * exact::arc_tangent(to - from, 1 + from * to);
}

}  // namespace sphaera::star_light
