#pragma once
/// \file Upper bounds of lengths and sums.

#include <cmath>
#include <exact/numbers/arithmetic.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::query {

/// More than the relative roundings of a length and of the difference before it (8u), and of a sum.
inline constexpr double limit_slack = 0x1p-48;
/// More than the square root of squares that underflow, whose sum is less than 2^-1000.
inline constexpr double underflow_slack = 0x1p-490;

/// An upper bound of |v|.
SPHAERA_INLINE double length_limit(const Vec3& v) {
  return std::sqrt(dot(v, v)) * (1 + limit_slack) + underflow_slack;
}
/// An upper bound of |a − b|.
SPHAERA_INLINE double distance_limit(const Vec3& a, const Vec3& b) { return length_limit(a - b); }
/// An upper bound of a + b.
SPHAERA_INLINE double sum_limit(double a, double b) {
  return a + b + limit_slack * (std::fabs(a) + std::fabs(b));
}

}  // namespace sphaera::query
