#pragma once
/// \file Areas on the unit sphere: a triangle with one corner at the projection's centre, and what lies
/// between a cap's edge and the great circle through two of its points.

#include <cmath>
#include <geometry/sky_circle.hpp>

namespace sphaera::geometry {

/// Signed solid angle of the triangle (origin, a, b) in great circles, over τ²: twice the plane triangle
/// where the star is small. Points are in units of τ.
inline double polar_triangle(double tau, Vec2 a, Vec2 b) {
  const double tau2 = tau * tau, x = cross(a, b), y = 1 + tau2 * dot(a, b);
  // atan2(τ²x, y)/τ²; the arc tangent's series starts 1 − (τ²x/y)²/3.
  return tau2 * std::fabs(x) < 0x1p-28 * y ? 2 * x / y : 2 * std::atan2(tau2 * x, y) / tau2;
}

/// φ − sin φ, relative error of a few u for |φ| ≤ 1, absolute beyond.
inline double minus_sine(double phi) {
  if (std::fabs(phi) > 1) return phi - std::sin(phi);
  const double x = phi * phi;
  double sum = 1;  // x^10/21!·6 < 2^-60 is left out
  for (const double next : {342.0, 272.0, 210.0, 156.0, 110.0, 72.0, 42.0, 20.0}) sum = 1 - x / next * sum;
  return phi * x / 6 * sum;
}

/// x − atan x, relative error of a few u for |x| ≤ 1, absolute beyond. With y the tangent of the half angle,
/// x = 2y/(1 − y²) and atan x = 2 atan y.
inline double minus_arc_tangent(double x) {
  if (std::fabs(x) > 1) return x - std::atan(x);
  const double y = x / (1 + std::sqrt(1 + x * x)), y2 = y * y;  // y² ≤ 0.1716
  double sum = 0;  // y2^20/43 < 2^-56 of the first term is left out
  for (int k = 41; k >= 3; k -= 2) sum = 1.0 / k - y2 * sum;
  return 2 * y * y2 * (1 / (1 - y2) + sum);
}

/// Solid angle between the edge of a cap, through azimuths φ about its axis (−2π … 2π, negative for a
/// clockwise arc), and the great circle through the arc's ends; t = tan(α/2) ≤ 1, α the cap's angular radius.
/// The cap's sector less its triangle, 2 s² φ − 2 atan x, x = t² sin φ/(1 + t² cos φ), s² = t²/(1 + t²),
/// written without its cancellation.
inline double cap_segment(double t, double phi) {
  const double t2 = t * t, sine = std::sin(phi), half_sine = std::sin(phi / 2);
  const double denominator = 1 + t2 * (1 - 2 * half_sine * half_sine), x = t2 * sine / denominator;
  const double bend = 4 * t2 * t2 * sine * half_sine * half_sine / ((1 + t2) * denominator);
  return 2 * (t2 / (1 + t2)) * minus_sine(phi) - bend + 2 * minus_arc_tangent(x);
}

}  // namespace sphaera::geometry
