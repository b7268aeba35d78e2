#pragma once
/// \file The point of a segment that is nearest to a place, as a sphere's centre.
///
/// Sources. "Line segment against sphere" and the intersection testing demo: project the centre on the
/// segment's line, clamp to its ends, compare with the radius; touching counts. The first one's listing
/// inverts the comparison and does not square the radius, and divides by zero for a segment of no length;
/// here that is a point. The yes or no is `meets(segment, sphere)` of ray_sphere.hpp: exact, where a
/// comparison of the rounded squared distance would not be.

#include <sphaera/requirements.hpp>

#include <sphaera/export.hpp>
#include <sphaera/ray.hpp>

namespace sphaera {

struct ClosestPoint {
  double t;    ///< parameter, 0 (from) … 1 (to), clamped, 1 ulp; which end it is clamped to is exact
  Vec3 point;  ///< from + t·(to − from), off by ≤ 4u·max(|from|, |point|), u = 2^-53; an end exactly
  double squared_distance;  ///< |point − place|² for the exact nearest point; 1 ulp, also where it is tiny
};

/// Throws Error(invalid_argument) where an input is not finite or beyond `domain_limit`.
SPHAERA_API ClosestPoint closest_point(const Segment& segment, const Vec3& place);

}  // namespace sphaera
