#pragma once
/// \file A double-double with an exponent of its own, for quotients and roots of exact integers.

#include <cmath>
#include <exact/numbers/double_double.hpp>
#include <exact/numbers/integer.hpp>

namespace sphaera::exact {

/// value · 2^exponent. The value is 0 or of moderate size, so nothing overflows or underflows before
/// the conversion to double.
struct Scaled {
  DoubleDouble<Dekker> value;
  int exponent = 0;

  Scaled() = default;
  explicit Scaled(const Integer& x) {
    const int sign = *x.sign();
    if (sign == 0) return;
    const Integer::Leading leading = x.leading();
    value = fast_two_sum(sign * leading.hi, sign * leading.lo);
    exponent = leading.exponent;
  }

  bool is_zero() const { return value.hi == 0; }
  Scaled magnitude() const { return value.hi < 0 ? -*this : *this; }
  Scaled operator-() const { return make(-value, exponent); }

  friend Scaled operator+(const Scaled& x, const Scaled& y) {
    if (x.is_zero()) return y;
    if (y.is_zero()) return x;
    if (x.exponent < y.exponent) return y + x;
    return make(x.value + y.shifted(y.exponent - x.exponent), x.exponent);
  }
  friend Scaled operator-(const Scaled& x, const Scaled& y) { return x + (-y); }
  friend Scaled operator*(const Scaled& x, const Scaled& y) {
    return make(x.value * y.value, x.exponent + y.exponent);
  }
  friend Scaled operator/(const Scaled& x, const Scaled& y) {
    return x.is_zero() ? x : make(x.value / y.value, x.exponent - y.exponent);
  }
  friend Scaled sqrt(const Scaled& x) {
    const int odd = x.exponent & 1;
    return make(sqrt(x.shifted(odd)), (x.exponent - odd) / 2);
  }
  explicit operator double() const { return std::ldexp(static_cast<double>(value), exponent); }

 private:
  static Scaled make(DoubleDouble<Dekker> v, int e) {
    Scaled s;
    s.value = v, s.exponent = e;
    return s;
  }
  DoubleDouble<Dekker> shifted(int e) const {
    return TwoDouble{std::ldexp(value.hi, e), std::ldexp(value.lo, e)};
  }
};

}  // namespace sphaera::exact
