#pragma once
/// \file Directions that doubles cannot tell apart.

#include <exact/numbers/arithmetic.hpp>
#include <exact/numbers/power_of_two.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::geometry {

/// In units of u, the sine of an angle that is none: 64 for the turn of a spin's meridian (Spin::turned), 3
/// for each of two vectors made unit, and for each of the two vector products, here and of what passes, 3:
/// every component is off by u of the sizes of its two products and itself, at most (√(4/3) + 1)u |a||b|
/// together. That is 76, and what is past 96 stays different from 0 in all that is made of it.
constexpr double parallel_sine = 96 * exact::u;

/// Do they span no plane, as far as doubles can tell? Of any length; so does what is zero. If not, cross(a,
/// b) is not zero either once b has turned about a and both are unit vectors.
inline bool parallel(const Vec3& a, const Vec3& b) {
  const Vec3 p = inverse_scale(a) * a, q = inverse_scale(b) * b, across = cross(p, q);
  return dot(across, across) <= parallel_sine * parallel_sine * (dot(p, p) * dot(q, q));
}

}  // namespace sphaera::geometry
