#pragma once
/// \file Numbers of about 106 bits as unevaluated sums of two doubles.
///
/// Algorithms and relative error bounds: Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic
/// building blocks of double-word arithmetic", ACM TOMS 44 (2017). The operations use two_product and no
/// other fused operation, so `Fused` and `Plain` give the same bits. The bounds hold while nothing
/// underflows.

#include <exact/numbers/arithmetic.hpp>

namespace sphaera::exact {

template <class Arithmetic>
struct DoubleDouble {
  double hi = 0, lo = 0;

  SPHAERA_INLINE DoubleDouble() = default;
  SPHAERA_INLINE DoubleDouble(double x) : hi(x) {}
  SPHAERA_INLINE DoubleDouble(TwoDouble x) : hi(x.hi), lo(x.lo) {}

  SPHAERA_INLINE explicit operator double() const { return hi + lo; }
  SPHAERA_INLINE DoubleDouble operator-() const { return TwoDouble{-hi, -lo}; }

  /// Error ≤ 3u² + 13u³ (algorithm 6).
  SPHAERA_INLINE friend DoubleDouble operator+(DoubleDouble x, DoubleDouble y) {
    const TwoDouble s = two_sum(x.hi, y.hi), t = two_sum(x.lo, y.lo);
    const TwoDouble v = fast_two_sum(s.hi, s.lo + t.hi);
    return fast_two_sum(v.hi, t.lo + v.lo);
  }
  SPHAERA_INLINE friend DoubleDouble operator-(DoubleDouble x, DoubleDouble y) { return x + (-y); }

  /// Error ≤ 7u² (algorithm 10).
  SPHAERA_INLINE friend DoubleDouble operator*(DoubleDouble x, DoubleDouble y) {
    const TwoDouble p = Arithmetic::two_product(x.hi, y.hi);
    return fast_two_sum(p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi));
  }

  /// Error ≤ 15u² + 56u³ (algorithm 17).
  SPHAERA_INLINE friend DoubleDouble operator/(DoubleDouble x, DoubleDouble y) {
    const double q = x.hi / y.hi;
    const DoubleDouble r = DoubleDouble(q) * y;
    const double remainder = (x.hi - r.hi) + (x.lo - r.lo);
    return fast_two_sum(q, remainder / y.hi);
  }

  /// Square root of x ≥ 0, error ≤ 25u²/8 (Lefèvre et al., "Accurate calculation of Euclidean norms using
  /// double-word arithmetic", ACM TOMS 49, 2023), with an exact residual.
  SPHAERA_INLINE friend DoubleDouble sqrt(DoubleDouble x) {
    if (!(x.hi > 0)) return 0.0;
    const double s = __builtin_sqrt(x.hi);
    const TwoDouble square = Arithmetic::two_product(s, s);
    const double residual = (x.hi - square.hi) - square.lo;
    return fast_two_sum(s, (residual + x.lo) / (2 * s));
  }
};

}  // namespace sphaera::exact
