#pragma once
/// \file Angles from −π to π without a function but the square root: as the direction of their half, a vector
/// of any length (products of complex numbers add them), and as the tangent t of their quarter, −1 … 1, which
/// orders them and keeps the digits of an angle everywhere: dt/dφ = (1 + t²)/4.

#include <cmath>
#include <exact/numbers/elementary.hpp>
#include <starlight/sky_circle.hpp>

namespace sphaera::geometry {

/// Half of a vector's direction; of (−1, −0) it is −π/2.
inline Vec2 half_direction(Vec2 v) {
  const double length = std::sqrt(dot(v, v));
  return v.x >= 0 ? Vec2{length + v.x, v.y} : Vec2{std::fabs(v.y), std::copysign(length - v.x, v.y)};
}

/// tan(φ/4) from the direction of φ/2 or its opposite.
inline double quarter_tangent(Vec2 half) {
  const double length = std::sqrt(dot(half, half));
  return half.x >= 0 ? half.y / (length + half.x) : -half.y / (length - half.x);
}

/// The direction of φ/2, of length 1 + t².
inline Vec2 half_of(double t) { return {(1 - t) * (1 + t), 2 * t}; }

/// The angle from one to a greater one, 0 … 2π.
inline double angle_between(double from, double to) {
  return 4 * exact::arc_tangent(to - from, 1 + from * to);
}

}  // namespace sphaera::geometry
