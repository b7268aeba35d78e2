#pragma once
/// \file Reference values computed with 100 digits, and the doubles nearest to them.

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <optional>
#include <tests/oracle/decide.hpp>

namespace sphaera::oracle {

/// 100 decimal digits, exponents far beyond those of double.
using Real = bmp::number<bmp::backends::cpp_bin_float<100, bmp::backends::digit_base_10, void, std::int32_t>,
                         bmp::et_off>;

Real to_real(const Dyadic& x);

/// √x, x ≥ 0.
Real root(const Dyadic& x);

struct Roots {
  Real t1, t2;
};

/// The t at which the line meets the sphere's surface; none where it misses or d = 0.
std::optional<Roots> roots(const Sight& sight);

/// The t at which the line is closest to the center, −b/a; none where d = 0.
std::optional<Real> closest_approach(const Sight& sight);

/// |l + t·d|², from which radii at the edge of a decision are made.
Dyadic squared_distance_at(const Sight& sight, double t);

/// |x − y|.
Real distance(const Vec3& x, const Vec3& y);

/// |x − center| − radius.
Real signed_distance(const Vec3& x, const Sphere& sphere);
Real gap(const Ball& a, const Ball& b);

/// |value − reference| in units of 2^-53·|reference|, or of half the least denormal where that is coarser.
/// If |reference| exceeds the greatest double, that double and infinity, with its sign, have error 0.
double error_in_half_ulps(double value, const Real& reference);

/// The greatest error of a root in half ulps, as engine/exact/roots/roots.hpp promises it.
double promised_half_ulps_of_root(const Real& reference);

}  // namespace sphaera::oracle
