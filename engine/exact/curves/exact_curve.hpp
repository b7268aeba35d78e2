#pragma once
/// \file Stage 3 of a curve against a ball: its quartic in exact integers, with Sturm's sequence. Out of
/// line, since the numbers use up to 1.5 MiB of stack in all.

#include <exact/curves/isolate.hpp>

namespace sphaera::exact {

/// All roots > 0, each between two adjacent doubles or equal to a double. The search starts near the
/// guess.
Roots4 exact_roots(const Curve& curve, double guess);

/// Number of distinct roots of f' that are > 0 and less than `root`, a root of f. Roots of f' between
/// root.below and root.above do not count.
int exact_turns_before(const Curve& curve, const CurveRoot& root);

/// Sign of root − (t.hi + t.lo). Precondition: t lies strictly between root.below and root.above.
int compare_in_gap(const Curve& curve, const CurveRoot& root, const TwoDouble& t);

/// Sign of x − y for roots in the same gap between adjacent doubles.
int compare_in_gap(const Curve& a, const CurveRoot& x, const Curve& b, const CurveRoot& y);

}  // namespace sphaera::exact
