#pragma once
/// \file The signed distance from a point to a sphere and between two balls, accurate under any cancellation.

#include <exact/predicates/at_instant.hpp>

namespace sphaera::exact {

/// |x − center| − radius, negative inside, relative error ≤ u(1 + 2^-5), u = 2^-53.
double signed_distance(const Vec3& x, const Sphere& sphere);
double signed_distance(const Vec3& x, const SphereAtInstant& s);
/// |a.center − b.center| − a.radius − b.radius, with the same error. Precondition: one radius is not 0.
double gap(const Ball& a, const Ball& b);
double gap(const Ball& a, const SphereAtInstant& b);

}  // namespace sphaera::exact
