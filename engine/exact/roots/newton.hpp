#pragma once
/// \file Roots by one Newton step: a formula without a branch, for a single sphere and, in a loop that the
/// compiler turns into vector lanes, for many (root_block.hpp).

#include <exact/numbers/arithmetic.hpp>
#include <exact/predicates/filter.hpp>
#include <exact/predicates/path.hpp>
#include <limits>
#include <sphaera/sphere.hpp>

namespace sphaera::exact {

struct Roots {
  double t1, t2;  ///< t1 ≤ t2
};

/// In place of a root that is not known.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// One Newton step from a root in double, t − p(t)/2q(t), with p(t) = |L + tD|² − r² in twice the precision.
/// Unknown where the result might be off by more than u·|t|/32 before its final rounding.
///
/// L and t·D are exact sums hi + lo. With reach = |L| + |tD| an axis, v = L + tD is v.hi, exact, plus v.low ≤
/// 3u·reach, rounded to 8u²·reach. Its square is v.hi², exact as hi + lo, plus 2v.hi·v.low; what is left out
/// or rounded is ≤ (9 + 6 + 7 + 16)u²·reach². The his are summed exactly; the los, 12u·s in all with s =
/// Σreach² + r², in six roundings: p is off by ≤ 110u²·s, its last rounding aside. The slope q is off by ≤
/// 16u·Σreach|D|. With step = p/2q the root lies at t − step(1 + ε), |ε| ≤ 2a|step/2q|: the parabola's
/// curvature, where Δ ≥ 0. The slope's sign selects the root. Underflow: products lose ≤ 2^-1074, which
/// r² > 2^-800 (in s) and Δ > 2^-500 (in q) dwarf.
/// An L that is itself a sum, of terms of at most `l_size` an axis, rounded to 4u² of these, and an r² that
/// is rounded to 3u², add 2·4u² and 3u² to the 110u² of s, if |L| in `reach` is l_size: still ≤ 128u².
class NewtonStep {
 public:
  enum class Side { entry, exit };

  /// The root is at t − step, to within `error`, if that is no NaN and the step is `known`. Three members: of
  /// an error that is NaN where the step is unknown GCC makes a jump, which keeps it from vectorizing.
  struct Result {
    double step, error;
    bool known;
  };

  template <class Arithmetic>
  SPHAERA_INLINE static Result find(const Vec3& l, const Vec3& l_low, const Vec3& l_size, const Path& path,
                                    TwoDouble r2, double t, Side side) {
    const Vec3 &d = path.direction, &d_low = path.direction_low;
    const Axis x = axis<Arithmetic>(l.x, l_low.x, l_size.x, d.x, d_low.x, t),
               y = axis<Arithmetic>(l.y, l_low.y, l_size.y, d.y, d_low.y, t),
               z = axis<Arithmetic>(l.z, l_low.z, l_size.z, d.z, d_low.z, t);
    const TwoDouble sum = two_sum(x.square.hi, y.square.hi), rest = two_diff(z.square.hi, r2.hi),
                    power = two_sum(sum.hi, rest.hi);
    const double low = (x.square.lo + y.square.lo) + (z.square.lo - r2.lo) + (sum.lo + rest.lo) + power.lo;
    const double slope = x.v * d.x + y.v * d.y + z.v * d.z;
    const double step = (power.hi + low) / (2 * slope);

    const double size = (x.size + y.size + z.size) + r2.hi;
    const double width = side == Side::entry ? -slope : slope;
    const double slope_error =
        16 * u *
        (x.reach * __builtin_fabs(d.x) + y.reach * __builtin_fabs(d.y) + z.reach * __builtin_fabs(d.z));
    const double relative_step_error = (2 * path.a * __builtin_fabs(step) + slope_error) / width + 8 * u;
    const double error = 128 * u * u * size / width + __builtin_fabs(step) * relative_step_error;
    const bool known = (width > slope_error) & (r2.hi > 0x1p-800);  // & and not &&, which would be a branch
    return {step, error, known};
  }

  template <class Arithmetic>
  SPHAERA_INLINE static double refine(const Vec3& l, const Vec3& l_low, const Path& path, TwoDouble r2,
                                      double t, Side side) {
    const Result found = find<Arithmetic>(l, l_low, filter::absolute(l), path, r2, t, side);
    const double result = t - found.step;
    constexpr double share = u / 32;
    return found.known & (found.error <= share * __builtin_fabs(result)) ? result : unknown;
  }

 private:
  struct Axis {
    double v, size, reach;  ///< v = L + tD rounded, (|L| + |tD|)², |L| + |tD|
    TwoDouble square;       ///< of v
  };

  template <class Arithmetic>
  SPHAERA_INLINE static Axis axis(double l, double l_low, double l_size, double d, double d_low, double t) {
    const TwoDouble product = Arithmetic::two_product(t, d), v = two_sum(l, product.hi);
    const double v_low = v.lo + (l_low + (product.lo + t * d_low));
    const TwoDouble square = Arithmetic::two_product(v.hi, v.hi);
    const double reach = l_size + __builtin_fabs(product.hi);
    return {v.hi, reach * reach, reach, {square.hi, square.lo + 2 * v.hi * v_low}};
  }
};

/// Both roots, refined from the plain filter's, each unknown where its step is. All steps are unfused but the
/// exact products, so that the bits are the same with and without FMA. To be believed where `are_known`.
template <class Arithmetic>
SPHAERA_INLINE Roots roots_by_newton(const Path& path, const Sphere& sphere) {
  const Vec3 rough_l = path.origin - sphere.center;
  const filter::Crossing guess =
      filter::crossing<Plain>(rough_l, path, filter::discriminant<Plain>(rough_l, path, sphere.radius));
  const Vec3 &o = path.origin, &c = sphere.center;
  const TwoDouble x = two_diff(o.x, c.x), y = two_diff(o.y, c.y), z = two_diff(o.z, c.z);
  const Vec3 l{x.hi, y.hi, z.hi}, l_low{x.lo, y.lo, z.lo};
  const TwoDouble r2 = Arithmetic::two_product(sphere.radius, sphere.radius);
  using Side = NewtonStep::Side;
  return {NewtonStep::refine<Arithmetic>(l, l_low, path, r2, guess.t1, Side::entry),
          NewtonStep::refine<Arithmetic>(l, l_low, path, r2, guess.t2, Side::exit)};
}

/// May roots by Newton's step be believed? The filter that it starts from must have a bound. That is where
/// `floor` is finite, and nowhere else: |D| ≤ 2^241 and |L| ≤ 2^203 by a finite floor and the domain, so Δ
/// and its bound stay below 2^900, the numerators of t below 2^450 and 1/a below 2^481.
SPHAERA_INLINE bool are_known(const Path& path, const Roots& t) {
  return path.floor < infinity && t.t1 == t.t1 && t.t2 == t.t2;
}

}  // namespace sphaera::exact
