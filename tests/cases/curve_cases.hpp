#pragma once
/// \file Parabolas and balls for the tests of curved flight: at random, and on the edge of every answer.

#include <exact/curves/curve.hpp>
#include <string>
#include <tests/inputs/random_numbers.hpp>

namespace sphaera::test {

enum class CurveFamily {
  random,          ///< aimed about the ball, at any scale
  near_tangent,    ///< touches but for ulps
  tangent,         ///< touches exactly, from outside or inside, or crosses there (integers)
  double_tangent,  ///< touches twice, at times that are no doubles
  osculating,      ///< roots of multiplicity 3 and 4
  start_on,        ///< starts on the sphere or within ulps of it
  vertical,        ///< direction and gravity on one line
  tie,             ///< two balls met at one instant, or nearly
  no_gravity,      ///< zero, denormal, tiny or huge gravity
  pattern,         ///< any bits over the whole range
};
inline constexpr int curve_family_count = 10;

/// One flight, relative to two balls.
struct CurveCase {
  exact::Curve a, b;
};

CurveCase make_curve_case(CurveFamily family, Random& random);

std::string describe(const CurveCase& c);

}  // namespace sphaera::test
