#pragma once
/// \file Stage 3 of a curve against a ball: its quartic in exact integers, with Sturm's sequence. Out of
/// line, since the numbers take much stack, ≤ 1.5 MiB in all.

#include <exact/curves/isolate.hpp>

namespace sphaera::exact {

/// All roots right of 0, each between two neighbouring doubles or one itself. The search begins near the
/// guess.
Roots4 exact_roots(const Curve& curve, double guess);

/// How many distinct roots f' has right of 0 and before one of f, but for that one's own gap of doubles.
int exact_turns_before(const Curve& curve, const CurveRoot& root);

/// Sign of root − t for a sum that lies in the root's gap between neighbouring doubles.
int compare_in_gap(const Curve& curve, const CurveRoot& root, const TwoDouble& t);

/// Sign of x − y, roots in the same gap between neighbouring doubles.
int compare_in_gap(const Curve& a, const CurveRoot& x, const Curve& b, const CurveRoot& y);

}  // namespace sphaera::exact
