#pragma once
/// \file A test for directions that are parallel up to rounding.

#include <exact/numbers/arithmetic.hpp>
#include <exact/numbers/power_of_two.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::exact {

/// Vectors whose angle has a smaller sine count as parallel (proof 7). The computed sine of parallel vectors
/// is off, in u, by 64 for the turn of a spin's meridian (Spin::turned), 4.5 for each of two unit vectors and
/// 3 for each of two vector products, that of the test and that of the code that uses the vectors: 79. A
/// component of a vector product is off by u of its two products and of itself, ≤ (√(4/3) + 1)u|a||b| in all.
constexpr double parallel_sine = 96 * u;

/// True if the vectors, of any length, span no plane up to rounding, or if one is zero. If false, cross(a, b)
/// is still non-zero after b is rotated about a and both are normalized.
inline bool are_parallel(const Vec3& a, const Vec3& b) {
  const Vec3 p = inverse_scale(a) * a, q = inverse_scale(b) * b, across = cross(p, q);
  return dot(across, across) <= parallel_sine * parallel_sine * (dot(p, p) * dot(q, q));
}

}  // namespace sphaera::exact
