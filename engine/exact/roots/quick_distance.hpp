#pragma once
/// \file The signed distance in double-double: a branch-free formula, for a single sphere and for a loop over
/// many that the compiler vectorizes (distance_block.cpp).

#include <exact/numbers/bounded.hpp>
#include <exact/numbers/instruction_sets.hpp>
#include <limits>
#include <sphaera/sphere.hpp>

SPHAERA_SET_BEGIN
namespace sphaera::exact::inline SPHAERA_SET {

/// c/(|L| + r) with c = |L|² − r²: no cancellation outside c. L and r are exact as sums of two doubles. NaN
/// where the error may exceed that of `signed_distance`; only exact integers give the distance then.
///
/// In units of u², |L|² is off by 7 + 2·3 of itself, r² by 7 of itself, c by 3 of itself more: less than
/// 17(|L|² + r²) in all. Low parts that underflow lose less than 2^-1060, which the bounds of r and |L|
/// cover.
template <class Number>
SPHAERA_INLINE double quick_distance(Number lx, Number ly, Number lz, Number r, Number r_square) {
  const Number square = lx * lx + ly * ly + lz * lz, c = square - r_square;
  // & and not &&, which would be a branch.
  const bool known = (square.hi < 0x1p800) & (r.hi > 0x1p-400) &
                     (20 * u * u * (square.hi + r.hi * r.hi) <= term_error * __builtin_fabs(c.hi));
  const Number distance = c / (sqrt(square) + r);
  return known ? static_cast<double>(distance) : std::numeric_limits<double>::quiet_NaN();
}

/// |x − center| − radius.
SPHAERA_INLINE double quick_distance(double x, double y, double z, const Sphere& sphere) {
  using Number = DoubleDouble<Arithmetic>;
  const auto& [center, r] = sphere;
  return quick_distance<Number>(two_diff(x, center.x), two_diff(y, center.y), two_diff(z, center.z),
                                Number(r), Number(Arithmetic::two_product(r, r)));
}

/// The same less `own`, the radius of a ball about x. Precondition: one radius is not 0.
SPHAERA_INLINE double quick_gap(double x, double y, double z, double own, const Sphere& sphere) {
  using Number = DoubleDouble<Arithmetic>;
  const Vec3& center = sphere.center;
  const Number r = two_sum(own, sphere.radius);
  return quick_distance<Number>(two_diff(x, center.x), two_diff(y, center.y), two_diff(z, center.z), r,
                                r * r);
}

}  // namespace sphaera::exact::inline SPHAERA_SET
SPHAERA_SET_END
