#pragma once
/// \file The gap between two balls against a distance: exact as the sum of three numbers and a root.

#include <exact/predicates/at_instant.hpp>
#include <exact/predicates/counts.hpp>
#include <sphaera/ray.hpp>

namespace sphaera::exact {

/// Sign of (|A − B| − a.radius − b.radius) − distance: −1 the gap is smaller, 0 equal, +1 larger. The gap is
/// negative where the balls overlap. Radii may be 0, the distance negative.
int compare_gap(const Ball& a, const Ball& b, double distance, Counts& counts);
/// The same for a sphere at an instant in place of b.
int compare_gap(const Ball& a, const SphereAtInstant& b, double distance, Counts& counts);

}  // namespace sphaera::exact
