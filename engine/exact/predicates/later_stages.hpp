#pragma once
/// \file Stages 2 and 3 of each decision, out of line, for callers whose filter is unsure.

#include <exact/numbers/arithmetic.hpp>
#include <exact/predicates/counts.hpp>
#include <exact/predicates/path.hpp>
#include <exact/predicates/relative.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::exact::later_stages {

int discriminant(const Relative& sphere, Counts& counts);
int power(const Relative& sphere, const TwoDouble& t, Counts& counts);       ///< t finite
int slope(const Relative& sphere, const TwoDouble& t, Counts& counts);       ///< t finite
int entries(const Relative& first, const Relative& second, Counts& counts);  ///< D ≠ 0; the path meets both
int distances(const Relative& first, const Relative& second,
              Counts& counts);  ///< offset = X − C; no direction

/// Sign of |A − B|² − (a.radius ± b.radius)²: the sum for `gap`, the difference for `nesting`.
int gap(const Ball& a, const Ball& b, Counts& counts);
int nesting(const Ball& a, const Ball& b, Counts& counts);

}  // namespace sphaera::exact::later_stages
