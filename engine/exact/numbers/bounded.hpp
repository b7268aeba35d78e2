#pragma once
/// \file Stage 2: a double-double with a proven bound of its error.
///
/// Running error analysis: with |x − x̂| ≤ e_x and |y − ŷ| ≤ e_y,
///     x + y is within e_x + e_y + 3u²(1 + 5u)|ŝ|                     of the computed ŝ,
///     x · y is within |x̂|e_y + |ŷ|e_x + e_x e_y + 7u²(1 + …)|p̂| + 2^-1060 of the computed p̂.
/// The last term covers products whose low parts underflow: each of the four partial products and the
/// residual of two_product lose ≤ 2^-1074. Flush-to-zero, which would lose 2^-1022, is off: every public
/// function sets the mode (floating_point_environment.hpp). The constants 4 and 8 below leave room for the
/// (1 + …). The bound itself is evaluated in double: at most 9 roundings of sums and products of non-negative
/// numbers, each ≤ (1 + u), which the factor 1 + 16u covers. Overflow makes the bound infinite or NaN:
/// unsure, never wrong.

#include <cstdlib>
#include <exact/numbers/double_double.hpp>
#include <optional>
#include <span>

namespace sphaera::exact {

template <class Arithmetic>
class Bounded {
 public:
  SPHAERA_INLINE Bounded() = default;
  SPHAERA_INLINE Bounded(double x) : value_(x) {}

  /// The sum of at most four doubles, exact for two. With five, a partial sum that rounds to 0 would lose its
  /// error bound.
  SPHAERA_INLINE static Bounded sum(std::span<const double> terms) {
    Bounded s;
    for (const double term : terms) {
      if (term != 0) s = s.value_.hi == 0 ? Bounded(term) : s.add(term);
    }
    return s;
  }

  SPHAERA_INLINE friend Bounded operator+(const Bounded& x, const Bounded& y) {
    const Value s = x.value_ + y.value_;
    return {s, (x.error_ + y.error_ + 4 * u * u * std::fabs(s.hi)) * round_up};
  }
  SPHAERA_INLINE friend Bounded operator-(const Bounded& x, const Bounded& y) {
    return x + Bounded{-y.value_, y.error_};
  }
  SPHAERA_INLINE friend Bounded operator*(const Bounded& x, const Bounded& y) {
    const Value p = x.value_ * y.value_;
    const double ax = std::fabs(x.value_.hi), ay = std::fabs(y.value_.hi);
    const double propagated = ax * y.error_ + ay * x.error_ + x.error_ * y.error_;
    return {p, (propagated + 8 * u * u * (ax * ay) + underflow) * round_up};
  }

  /// The sign of the exact number, or nullopt if the bound is too large to decide.
  SPHAERA_INLINE std::optional<int> sign() const {
    if (!(std::fabs(value_.hi) * (1 - 4 * u) > error_)) return std::nullopt;
    return value_.hi < 0 ? -1 : 1;
  }

  SPHAERA_INLINE DoubleDouble<Arithmetic> value() const { return value_; }
  SPHAERA_INLINE double error() const { return error_; }

 private:
  using Value = DoubleDouble<Arithmetic>;
  static constexpr double round_up = 1 + 16 * u;
  static constexpr double underflow = 0x1p-1060;

  SPHAERA_INLINE Bounded(Value value, double error) : value_(value), error_(error) {}

  /// This number + term; the sum of two doubles is exact.
  SPHAERA_INLINE Bounded add(double term) const {
    if (value_.lo == 0 && error_ == 0) return {Value(two_sum(value_.hi, term)), 0};
    return *this + Bounded(term);
  }

  Value value_{};
  double error_ = 0;
};

/// Largest relative error of a term of a reported number. The number then has a relative error ≤ 2^-58 = u/32
/// before its final rounding.
inline constexpr double term_error = 0x1p-60;

}  // namespace sphaera::exact
