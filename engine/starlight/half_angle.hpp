#pragma once
/// \file Angles from −π to π, computed with no function other than the square root. One form is the direction
/// of the half angle, a vector of any length: complex multiplication adds the angles. The other form is t =
/// tan(φ/4), −1 … 1, which orders angles and keeps their digits everywhere: dt/dφ = (1 + t²)/4.

#include <cmath>
#include <exact/numbers/elementary.hpp>
#include <starlight/sky_circle.hpp>

namespace sphaera::geometry {

/// Direction of half the angle of v. The half angle of (−1, −0) is −π/2.
inline Vec2 half_direction(Vec2 v) {
  const double length = std::sqrt(dot(v, v));
  return v.x >= 0 ? Vec2{length + v.x, v.y} : Vec2{std::fabs(v.y), std::copysign(length - v.x, v.y)};
}

/// tan(φ/4) from the direction of φ/2 or the opposite direction.
inline double quarter_tangent(Vec2 half) {
  const double length = std::sqrt(dot(half, half));
  return half.x >= 0 ? half.y / (length + half.x) : -half.y / (length - half.x);
}

/// Direction of φ/2 for t = tan(φ/4), a vector of length 1 + t².
inline Vec2 half_of(double t) { return {(1 - t) * (1 + t), 2 * t}; }

/// Angle from t = `from` to t = `to`, from ≤ to: 0 … 2π.
inline double angle_between(double from, double to) {
  return 4 * exact::arc_tangent(to - from, 1 + from * to);
}

}  // namespace sphaera::geometry
