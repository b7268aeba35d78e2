#pragma once
/// \file Comparisons of reported numbers with reference values.

#include <algorithm>
#include <cmath>
#include <sphaera/vec3.hpp>

namespace sphaera::test {

inline double length(const Vec3& v) { return std::hypot(v.x, v.y, v.z); }

/// Tolerance of the reference cases.
inline constexpr double reference_tolerance = 1e-12;

inline bool near(double value, double reference, double tolerance = reference_tolerance) {
  return std::fabs(value - reference) <= tolerance * std::fabs(reference);
}

/// The tolerance is relative to |reference| or `scale`, whichever is larger: points may lie near the origin.
inline bool near(const Vec3& value, const Vec3& reference, double scale) {
  return length(value - reference) <= reference_tolerance * std::max(length(reference), scale);
}

}  // namespace sphaera::test
