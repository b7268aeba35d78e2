#pragma once
/// \file Rays, segments and balls: the inputs of scene queries.
///
/// Write the type, `Ray{…}` or `Segment{…}`: both begin with two triples, so `meets({a, b}, sphere)` is
/// ambiguous. `Ray{from, to}` compiles, but takes `to` as a direction.

#include <sphaera/config/requirements.hpp>

#include <limits>
#include <sphaera/vec3.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// For t_max and durations.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The points origin + t·direction for t_min ≤ t ≤ t_max; the origin in the scene's unit. The direction has
/// any non-zero length and t counts multiples of it. t_min and t_max may be infinite, and t_min may be
/// negative. t_min > t_max is an empty ray (a miss), t_min = t_max a point. The ends are exact: to reach a
/// hit again, take its t_enter one ulp up as t_max (see Hit). Valid: finite origin within `domain_limit`,
/// finite direction ≠ 0, no NaN.
struct Ray {
  Vec3 origin;
  Vec3 direction;
  double t_min = 0;
  double t_max = infinity;
};

/// The points from + t·(to − from), 0 ≤ t ≤ 1. The difference is never rounded: answers are exact for the two
/// ends as given. If from = to the segment is a point. Valid: finite ends within `domain_limit`.
struct Segment {
  Vec3 from;
  Vec3 to;
};

/// A closed ball in the scene's unit, for overlap tests; radius 0 is a point. Valid: finite, radius ≥ 0,
/// within `domain_limit`.
struct Ball {
  Vec3 center;
  double radius = 0;
};

}  // namespace sphaera::inline SPHAERA_ABI
