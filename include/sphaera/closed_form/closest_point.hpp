#pragma once
/// \file The point of a segment nearest to a given point, such as a sphere's center.
///
/// Sources. "Line segment against sphere" (9 November 2011) and "Intersection Testing Demo" (31 July 2022):
/// project the center on the segment's line, clamp to its ends, compare with the radius; touching counts. The
/// listing of the first source inverts the comparison, does not square the radius, and divides by zero for a
/// segment of no length; here such a segment is a point. To test a segment against a sphere use
/// `meets(segment, sphere)` of ray_sphere.hpp: it is exact, and a comparison with the rounded squared
/// distance is not.

#include <sphaera/config/requirements.hpp>

#include <sphaera/config/export.hpp>
#include <sphaera/ray.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// The point of a segment nearest to a given point.
struct ClosestPoint {
  double t = 0;  ///< parameter, 0 (from) … 1 (to), clamped; error 1 ulp; clamping is decided exactly
  Vec3 point;    ///< from + t·(to − from), off by ≤ 4u·max(|from|, |point|), u = 2^-53; exact at an end
  /// |point − position|² for the exact nearest point; 1 ulp, also if it is tiny.
  double squared_distance = 0;
};

/// The point of `segment` nearest to `position`. Throws Error(invalid_argument) if an input is not finite or
/// beyond `domain_limit`.
SPHAERA_API ClosestPoint closest_point(const Segment& segment, const Vec3& position);

}  // namespace sphaera::inline SPHAERA_ABI
