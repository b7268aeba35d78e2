#pragma once
/// \file Tables for elementary functions, in double-double, computed by the compiler: good to 2^-96.

#include <array>
#include <cstddef>
#include <exact/numbers/arithmetic.hpp>

namespace sphaera::exact::tables {

/// A sum of two doubles for constant evaluation: the operations of double_double.hpp, which are not
/// constexpr, good to some units of 2^-105.
struct Number {
  double hi = 0, lo = 0;

  constexpr Number() = default;
  constexpr Number(double x) : hi(x) {}
  constexpr Number(TwoDouble x) : hi(x.hi), lo(x.lo) {}

  constexpr friend Number operator+(Number x, Number y) {
    const Number s = sum(x.hi, y.hi), t = sum(x.lo, y.lo), v = sum(s.hi, s.lo + t.hi);
    return sum(v.hi, t.lo + v.lo);
  }
  constexpr Number operator-() const { return TwoDouble{-hi, -lo}; }
  constexpr friend Number operator-(Number x, Number y) { return x + -y; }
  constexpr friend Number operator*(Number x, Number y) {
    const Number p = product(x.hi, y.hi);
    return sum(p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi));
  }
  constexpr friend Number operator/(Number x, Number y) {
    const Number q = x.hi / y.hi, rest = x - q * y;
    return q + Number(rest.hi / y.hi);
  }

 private:
  static constexpr Number sum(double x, double y) {
    const double s = x + y, part = s - x;
    return TwoDouble{s, (x - (s - part)) + (y - part)};
  }
  static constexpr Number product(double x, double y) {
    const double p = x * y, a = upper(x), b = upper(y), c = x - a, d = y - b;
    return TwoDouble{p, ((a * b - p) + a * d + c * b) + c * d};
  }
  static constexpr double upper(double x) {
    const double c = 0x1.0000002p27 * x;
    return c - (c - x);
  }
};

/// 1.5·2^52: adding and subtracting it rounds |x| < 2^51 to an integer.
inline constexpr double rounder = 0x1.8p52;

inline constexpr TwoDouble pi{0x1.921fb54442d18p1, 0x1.1a62633145c07p-53};
inline constexpr TwoDouble half_pi{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};
inline constexpr TwoDouble ln2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

template <std::size_t Size>
using Table = std::array<TwoDouble, Size>;

constexpr TwoDouble pair_of(Number x) { return {x.hi, x.lo}; }

/// Σ (−sign)^k x^(2k + 1)/(2k + 1): the arc tangent for sign 1, the hyperbolic one for −1; |x| ≤ 1/5.
constexpr Number odd_series(Number x, double sign) {
  const Number step = Number(-sign) * x * x;
  Number sum = x, power = x;
  for (int k = 1; k <= 24; ++k) power = power * step, sum = sum + power / Number(2 * k + 1);
  return sum;
}

/// atan(i/128).
constexpr auto arc_tangents() {
  Table<129> table{};
  Number sum;
  for (int i = 1; i <= 128; ++i) {
    const Number i128 = i, before = i - 1;
    sum = sum + odd_series(Number(128) / (Number(16384) + i128 * before), 1);
    table[static_cast<std::size_t>(i)] = pair_of(sum);
  }
  return table;
}

/// sin(iπ/256) up to π/2, by repeated rotation by π/256.
constexpr auto sines() {
  const Number angle = Number(pi) * Number(0x1p-8), minus_square = -(angle * angle);
  Number step_sine, step_cosine, term = 1;
  for (int k = 0; k < 20; k += 2) {
    step_cosine = step_cosine + term, step_sine = step_sine + angle * term / Number(k + 1);
    term = term * minus_square / Number((k + 1) * (k + 2));
  }
  Table<129> table{};
  Number sine = 0, cosine = 1;
  for (auto& entry : table) {
    entry = pair_of(sine);
    const Number next = sine * step_cosine + cosine * step_sine;
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
    const Number ratio = (Number(1) - Number(value)) / (Number(1) + Number(value));
    table[static_cast<std::size_t>(i - 96)] = {value, pair_of(Number(2) * odd_series(ratio, -1))};
  }
  return table;
}

/// 2^(i/128).
constexpr auto powers_of_two() {
  Table<128> table{};
  for (int i = 0; i < 128; ++i) {
    const Number x = Number(ln2) * Number(i * 0x1p-7);
    Number sum = 1, term = 1;
    for (int k = 1; k <= 28; ++k) term = term * x / Number(k), sum = sum + term;
    table[static_cast<std::size_t>(i)] = pair_of(sum);
  }
  return table;
}

}  // namespace sphaera::exact::tables
