#pragma once
/// \file The circle in which the surfaces of two spheres meet.
///
/// Source: "Intersection Testing Demo" (31 July 2022): x = (d² + r1² − r2²)/(2d) along the unit vector c1 →
/// c2 (its listing omits "unit"), radius √(4d²r1² − (d² + r1² − r2²)²)/(2d). Here the radius is computed as
///     √(((r1 + r2)² − d²)(d² − (r1 − r2)²))/(2d)
/// which does not cancel. The demo calls touching spheres apart. Here touching spheres have a class of their
/// own, and so do nested spheres.

#include <sphaera/config/requirements.hpp>

#include <cstdint>
#include <sphaera/config/export.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// How the surfaces of two spheres meet.
enum class CircleClass : std::uint8_t {
  apart,     ///< no common point, neither contains the other
  touching,  ///< one common point, from outside or from inside
  circle,    ///< the surfaces meet in a circle
  inside,    ///< one lies strictly inside the other
  same,      ///< equal spheres
};

/// `kind` is exact. The other fields are NaN unless the spheres touch or meet in a circle.
struct IntersectionCircle {
  CircleClass kind = CircleClass::apart;
  Vec3 center;        ///< off by ≤ 2u·(|c1| + r1), u = 2^-53
  double radius = 0;  ///< 1 ulp, also for spheres that almost touch; exactly 0 if they touch
  Vec3 normal;        ///< unit, c1 → c2, good to 2u
  /// Unit vectors in the circle's plane: center + radius·(cos φ·axis_u + sin φ·axis_v) draws it,
  /// counter-clockwise as seen from the tip of the normal (axis_u × axis_v = normal). Scalar products,
  /// squared lengths and the vector product are tested to 8u.
  Vec3 axis_u, axis_v;
};

/// The circle of two spheres. Throws Error(invalid_argument) for a sphere outside its documented range;
/// element = 0 (`first`) or 1 (`second`).
SPHAERA_API IntersectionCircle intersection_circle(const Sphere& first, const Sphere& second);

}  // namespace sphaera::inline SPHAERA_ABI
