#pragma once
/// \file Tables for elementary functions, in double-double, computed by the compiler: good to 2^-96.

#include <array>
#include <cstddef>
#include <exact/numbers/arithmetic.hpp>

namespace sphaera::exact::tables {

/// A sum of two doubles for constant evaluation: the operations of double_double.hpp, which are not
/// constexpr. Relative error of an operation: a few 2^-105.
struct ConstexprDoubleDouble {
  double hi = 0, lo = 0;

  constexpr ConstexprDoubleDouble() = default;
  constexpr ConstexprDoubleDouble(double x) : hi(x) {}
  constexpr ConstexprDoubleDouble(TwoDouble x) : hi(x.hi), lo(x.lo) {}

  constexpr friend ConstexprDoubleDouble operator+(ConstexprDoubleDouble x, ConstexprDoubleDouble y) {
    const ConstexprDoubleDouble s = sum(x.hi, y.hi), t = sum(x.lo, y.lo), v = sum(s.hi, s.lo + t.hi);
    return sum(v.hi, t.lo + v.lo);
  }
  constexpr ConstexprDoubleDouble operator-() const { return TwoDouble{-hi, -lo}; }
  constexpr friend ConstexprDoubleDouble operator-(ConstexprDoubleDouble x, ConstexprDoubleDouble y) {
    return x + -y;
  }
  constexpr friend ConstexprDoubleDouble operator*(ConstexprDoubleDouble x, ConstexprDoubleDouble y) {
    const ConstexprDoubleDouble p = product(x.hi, y.hi);
    return sum(p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi));
  }
  constexpr friend ConstexprDoubleDouble operator/(ConstexprDoubleDouble x, ConstexprDoubleDouble y) {
    const ConstexprDoubleDouble q = x.hi / y.hi, rest = x - q * y;
    return q + ConstexprDoubleDouble(rest.hi / y.hi);
  }

 private:
  static constexpr ConstexprDoubleDouble sum(double x, double y) {
    const double s = x + y, part = s - x;
    return TwoDouble{s, (x - (s - part)) + (y - part)};
  }
  static constexpr ConstexprDoubleDouble product(double x, double y) {
    const double p = x * y, a = veltkamp_high(x), b = veltkamp_high(y), c = x - a, d = y - b;
    return TwoDouble{p, ((a * b - p) + a * d + c * b) + c * d};
  }
  /// The upper half of x's digits, by Veltkamp's splitting.
  static constexpr double veltkamp_high(double x) {
    const double c = 0x1.0000002p27 * x;
    return c - (c - x);
  }
};

/// 1.5·2^52: adding and subtracting it rounds |x| < 2^51 to an integer.
inline constexpr double round_shift = 0x1.8p52;

inline constexpr TwoDouble pi{0x1.921fb54442d18p1, 0x1.1a62633145c07p-53};
inline constexpr TwoDouble half_pi{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};
inline constexpr TwoDouble ln2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

template <std::size_t Size>
using Table = std::array<TwoDouble, Size>;

constexpr TwoDouble pair_of(ConstexprDoubleDouble x) { return {x.hi, x.lo}; }

/// Σ (−sign)^k x^(2k + 1)/(2k + 1): the arc tangent for sign 1, the hyperbolic one for −1; |x| ≤ 1/5.
constexpr ConstexprDoubleDouble odd_series(ConstexprDoubleDouble x, double sign) {
  const ConstexprDoubleDouble step = ConstexprDoubleDouble(-sign) * x * x;
  ConstexprDoubleDouble sum = x, power = x;
  for (int k = 1; k <= 24; ++k) power = power * step, sum = sum + power / ConstexprDoubleDouble(2 * k + 1);
  return sum;
}

/// atan(i/128), by atan a − atan b = atan((a − b)/(1 + ab)) with a = i/128, b = (i − 1)/128.
constexpr auto arc_tangents() {
  Table<129> table{};
  ConstexprDoubleDouble sum;
  for (int i = 1; i <= 128; ++i) {
    const ConstexprDoubleDouble i128 = i, before = i - 1;
    sum = sum + odd_series(ConstexprDoubleDouble(128) / (ConstexprDoubleDouble(16384) + i128 * before), 1);
    table[static_cast<std::size_t>(i)] = pair_of(sum);
  }
  return table;
}

/// sin(iπ/256) up to π/2, by repeated rotation by π/256.
constexpr auto sines() {
  const ConstexprDoubleDouble angle = ConstexprDoubleDouble(pi) * ConstexprDoubleDouble(0x1p-8),
                              minus_square = -(angle * angle);
  ConstexprDoubleDouble step_sine, step_cosine, term = 1;
  for (int k = 0; k < 20; k += 2) {
    step_cosine = step_cosine + term, step_sine = step_sine + angle * term / ConstexprDoubleDouble(k + 1);
    term = term * minus_square / ConstexprDoubleDouble((k + 1) * (k + 2));
  }
  Table<129> table{};
  ConstexprDoubleDouble sine = 0, cosine = 1;
  for (auto& entry : table) {
    entry = pair_of(sine);
    const ConstexprDoubleDouble next = sine * step_cosine + cosine * step_sine;
    cosine = cosine * step_cosine - sine * step_sine, sine = next;
  }
  return table;
}

/// v and −ln v for v near 128/i, i = 96 … 192, with v rounded to 13 bits; v is exactly 1 for i = 128.
struct Reciprocal {
  double value;
  TwoDouble logarithm;
};

constexpr auto reciprocals() {
  std::array<Reciprocal, 97> table{};
  for (int i = 96; i <= 192; ++i) {
    const int rounded = (128 * 4096 + i / 2) / i;
    const double value = rounded * 0x1p-12;
    const ConstexprDoubleDouble ratio = (ConstexprDoubleDouble(1) - ConstexprDoubleDouble(value)) /
                                        (ConstexprDoubleDouble(1) + ConstexprDoubleDouble(value));
    table[static_cast<std::size_t>(i - 96)] = {value,
                                               pair_of(ConstexprDoubleDouble(2) * odd_series(ratio, -1))};
  }
  return table;
}

/// 2^(i/128).
constexpr auto powers_of_two() {
  Table<128> table{};
  for (int i = 0; i < 128; ++i) {
    const ConstexprDoubleDouble x = ConstexprDoubleDouble(ln2) * ConstexprDoubleDouble(i * 0x1p-7);
    ConstexprDoubleDouble sum = 1, term = 1;
    for (int k = 1; k <= 28; ++k) term = term * x / ConstexprDoubleDouble(k), sum = sum + term;
    table[static_cast<std::size_t>(i)] = pair_of(sum);
  }
  return table;
}

}  // namespace sphaera::exact::tables
