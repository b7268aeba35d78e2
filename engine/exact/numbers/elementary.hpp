#pragma once
/// \file Elementary functions with the same bits on every processor and system. They use + − × ÷ and sqrt
/// only, with the same results with and without FMA (double_double.hpp). The functions of C libraries differ
/// between libraries and, within one library, between processors.
///
/// Every result, except that of quick_arc_tangent, has a relative error < 2^-66 before the last rounding,
/// hence an error < 1/2 + 2^-13 ulp (the sum of the errors stated at each formula;
/// tests/exact/elementary_test.cpp checks it for random arguments of all sizes); a denormal result is off by
/// less than 1 ulp. NaN arguments and arguments outside the stated range give NaN. Requires round-to-nearest
/// (floating_point_environment.hpp).

namespace sphaera::exact {

/// The angle of (x, y), −π … π; the special cases are those of std::atan2.
double arc_tangent(double y, double x);

/// The arc tangent, relative error < 2^-50; several times faster than arc_tangent for |x| ≤ 1.
double quick_arc_tangent(double x);

double arc_sine(double x);  ///< |x| ≤ 1

double sine(double x);    ///< |x| ≤ 1024
double cosine(double x);  ///< |x| ≤ 1024

/// x^y for 0 ≤ x ≤ ∞, y finite. The bound above holds for x ≤ 1 and |y| ≤ 16; elsewhere the error is
/// < 0.51 ulp.
double power(double x, double y);

double hyperbolic_arc_sine(double x);

}  // namespace sphaera::exact
