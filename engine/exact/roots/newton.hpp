#pragma once
/// \file Roots by one Newton step: a branch-free formula, for a single sphere and for a loop over many that
/// the compiler vectorizes (root_block.hpp).

#include <cstdint>
#include <exact/numbers/arithmetic.hpp>
#include <exact/predicates/filter.hpp>
#include <exact/predicates/path.hpp>
#include <limits>
#include <sphaera/sphere.hpp>

namespace sphaera::exact {

struct Roots {
  double t1, t2;  ///< t1 ≤ t2
};

/// Which of the two roots.
enum class Side : std::uint8_t { entry, exit };

/// Value of a root that is not known.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// One Newton step from a root in double, t − p(t)/2q(t), with p(t) = |L + tD|² − r² in double-double. The
/// result is `unknown` if it might be off by more than u·|t|/32 before its final rounding, or if the slope
/// may not have the sign of the root (entry: negative, exit: positive). The error is 128u²·s/|slope|, s =
/// Σ(|L| + |tD|)² + r², plus |step| times its relative error. Proof: engine/exact/proofs.md, proof 3.
class NewtonStep {
 public:
  /// The root is at t − step ± `error`, if `error` is not NaN and `known` is true. `known` is a separate
  /// member: if `error` were NaN for unknown steps, GCC would compile a jump, which prevents vectorization.
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

    const double square_sum = (x.magnitude_square + y.magnitude_square + z.magnitude_square) + r2.hi;
    // Positive if the slope has the sign of the root.
    const double signed_slope = side == Side::entry ? -slope : slope;
    const double slope_error = 16 * u *
                               (x.magnitude * __builtin_fabs(d.x) + y.magnitude * __builtin_fabs(d.y) +
                                z.magnitude * __builtin_fabs(d.z));
    const double relative_step_error =
        (2 * path.a * __builtin_fabs(step) + slope_error) / signed_slope + 8 * u;
    const double error = 128 * u * u * square_sum / signed_slope + __builtin_fabs(step) * relative_step_error;
    const bool known =
        (signed_slope > slope_error) & (r2.hi > 0x1p-800);  // & and not &&, which would be a branch
    return {step, error, known};
  }

  template <class Arithmetic>
  SPHAERA_INLINE static double refine(const Vec3& l, const Vec3& l_low, const Vec3& l_size, const Path& path,
                                      TwoDouble r2, double t, Side side) {
    const Result found = find<Arithmetic>(l, l_low, l_size, path, r2, t, side);
    const double result = t - found.step;
    constexpr double share = u / 32;
    return (found.known & (found.error <= share * __builtin_fabs(result))) ? result : unknown;
  }

 private:
  struct Axis {
    double v, magnitude_square, magnitude;  ///< v = L + tD rounded, (|L| + |tD|)², |L| + |tD|
    TwoDouble square;                       ///< v²
  };

  template <class Arithmetic>
  SPHAERA_INLINE static Axis axis(double l, double l_low, double l_size, double d, double d_low, double t) {
    const TwoDouble product = Arithmetic::two_product(t, d), v = two_sum(l, product.hi);
    const double v_low = v.lo + (l_low + (product.lo + t * d_low));
    const TwoDouble square = Arithmetic::two_product(v.hi, v.hi);
    const double magnitude = l_size + __builtin_fabs(product.hi);
    return {v.hi, magnitude * magnitude, magnitude, {square.hi, square.lo + 2 * v.hi * v_low}};
  }
};

/// Both roots: estimates of the filter, each refined by one Newton step; a root is `unknown` if its step is.
/// Only exact products use FMA, so the bits are the same with and without FMA. Use the roots only if
/// `are_known` returns true. `rough_l` is L, rounded once; l + l_low is L, off by ≤ 4u²·l_size on each axis.
template <class Arithmetic>
SPHAERA_INLINE Roots roots_by_newton(const Path& path, const Vec3& rough_l, const Vec3& l, const Vec3& l_low,
                                     const Vec3& l_size, double radius) {
  const filter::RootEstimates guess =
      filter::root_estimates<Plain>(rough_l, path, filter::discriminant<Plain>(rough_l, path, radius));
  const TwoDouble r2 = Arithmetic::two_product(radius, radius);
  return {NewtonStep::refine<Arithmetic>(l, l_low, l_size, path, r2, guess.t1, Side::entry),
          NewtonStep::refine<Arithmetic>(l, l_low, l_size, path, r2, guess.t2, Side::exit)};
}

template <class Arithmetic>
SPHAERA_INLINE Roots roots_by_newton(const Path& path, const Sphere& sphere) {
  const Vec3 &o = path.origin, &c = sphere.center;
  const TwoDouble x = two_diff(o.x, c.x), y = two_diff(o.y, c.y), z = two_diff(o.z, c.z);
  const Vec3 l{x.hi, y.hi, z.hi}, l_low{x.lo, y.lo, z.lo};
  return roots_by_newton<Arithmetic>(path, l, l, l_low, filter::absolute(l), sphere.radius);
}

/// True if roots by Newton's step are valid: both are known, and the filter that gave the first guess has a
/// finite error bound. The bound is finite exactly if `floor` is: then |D| ≤ 2^241, and |L| ≤ 2^203 by the
/// domain, so Δ and its bound stay below 2^900, the numerators of t below 2^450 and 1/a below 2^481.
SPHAERA_INLINE bool are_known(const Path& path, const Roots& t) {
  return path.floor < infinity && t.t1 == t.t1 && t.t2 == t.t2;
}

}  // namespace sphaera::exact
