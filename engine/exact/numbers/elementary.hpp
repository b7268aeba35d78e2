#pragma once
/// \file Elementary functions with the same bits on every processor and system: + − × ÷ and sqrt alone, the
/// same with and without FMA (double_double.hpp). A system's own differ from one C library to the next, and
/// within one from processor to processor.
///
/// Before the last rounding every result, but for a quick function's, is off by less than 2^-66 of itself, so
/// after it by less than 1/2 + 2^-13 ulp (the sum of what each formula states;
/// tests/exact/elementary_test.cpp asks that of random arguments of all sizes), a denormal result by less
/// than 1 ulp. Arguments that are no numbers, and those outside the stated range, give NaN. Round-to-nearest
/// is presumed (floating_point_environment.hpp).

namespace sphaera::exact {

/// The angle of (x, y), −π … π: as std::atan2 in every special case.
double arc_tangent(double y, double x);

/// The arc tangent, off by less than 2^-50 of itself; several times faster than the above for |x| ≤ 1.
double quick_arc_tangent(double x);

double arc_sine(double x);  ///< |x| ≤ 1

double sine(double x);    ///< |x| ≤ 1024
double cosine(double x);  ///< |x| ≤ 1024

/// x^y for 0 ≤ x ≤ ∞, y finite. The bound above holds for x ≤ 1 and |y| ≤ 16; elsewhere it is 0.51 ulp.
double power(double x, double y);

double hyperbolic_arc_sine(double x);

}  // namespace sphaera::exact
