#pragma once
/// \file Roots of |origin + t·direction − center| = radius, accurate under any cancellation.

#include <exact/predicates/at_instant.hpp>
#include <exact/predicates/path.hpp>
#include <exact/roots/newton.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::exact {

/// Both roots, relative error ≤ u(1 + 2^-5), u = 2^-53 (one rounding of a longer value). Precondition:
/// sign_discriminant ≥ 0. A denormal result may be rounded twice: it is good to 1 + (1 + 2^-4)/2 < 1.54 half
/// ulps. A path of no length (from = to) gives −∞, +∞. Same bits with and without FMA.
Roots roots(const Path& path, const Sphere& sphere);

/// The same for a moving sphere at one instant of the scene's time.
Roots roots(const AtInstant& pair);

/// The same by exact integers alone, for roots that a Newton step leaves unknown.
Roots roots_exact(const Relative& relative);
Roots roots_exact(const Path& path, const Sphere& sphere);

/// The t of the line's point that is nearest to the center: −(L·D)/(D·D), with the relative error of `roots`;
/// 0 for a path of no length. Same bits with and without FMA.
double closest_approach(const Path& path, const Vec3& center);

/// The same by exact integers alone, if double-double is not accurate enough.
double closest_approach_exact(const Path& path, const Vec3& center);

}  // namespace sphaera::exact
