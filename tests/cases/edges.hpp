#pragma once
/// \file Cases moved to the edge of an answer: within ulps of it, or exactly upon it by integer geometry.

#include <tests/cases/cases.hpp>

namespace sphaera::test {

// Each takes a case with a Ray path and brings it to the edge.
Case near_tangent(Case c, Random& random);
Case surface_origin(Case c, Random& random);
Case end_at_root(Case c, Random& random);
Case order_near_tie(Case c, Random& random);
Case distance_tie(Case c, Random& random);
Case touching(Case c, Random& random);
/// Takes a case with a Segment path.
Case segment_edge(Case c, Random& random);

// Integer geometry: nothing is rounded.
Case exact_tangent(Random& random);
Case exact_roots(Random& random);
Case order_tie(Random& random);

/// Within the ranges that the public headers name.
bool is_valid(const Case& c);

/// Gives the sphere the radius that is `ulps` away from the distance of its center to x (if that is not 0).
void put_surface_at(Sphere& sphere, const Vec3& x, int ulps);

/// Multiplies lengths by 2^k and directions by 2^m, to the ends of the range: same answers unless something
/// becomes denormal. Leaves the case as it is where it would become invalid.
void rescale(Case& c, Random& random);

}  // namespace sphaera::test
