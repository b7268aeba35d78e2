#include <bit>
#include <cmath>
#include <cstdint>
#include <exact/numbers/double_double.hpp>
#include <exact/numbers/elementary.hpp>
#include <exact/numbers/elementary_tables.hpp>
#include <exact/numbers/instruction_sets.hpp>
#include <limits>

SPHAERA_SET_BEGIN
namespace sphaera::exact::inline SPHAERA_SET {
namespace {

constexpr auto reciprocals = tables::reciprocals();
constexpr auto powers_of_two = tables::powers_of_two();

using tables::round_shift;

/// ln(2^extra (hi + lo)) for a normal hi > 0. With hi = 2^e m, 3/4 ≤ m < 3/2, v a number of 13 bits near 1/m
/// and r = mv − 1, |r| < 2^-7.5, the logarithm is (e + extra) ln 2 − ln v + ln(1 + r). r − r²/2 is in
/// double-double; the terms r³/3 − … to r⁹ are rounded to 2^-68 of r, hence to 2^-75.
SPHAERA_INLINE TwoDouble logarithm(TwoDouble x, int extra) {
  const auto bits = std::bit_cast<std::uint64_t>(x.hi);
  const std::uint64_t high = (bits & 0xfffffffffffff) >= 0x8000000000000 ? 1 : 0;  // m would be 3/2 or more
  const auto exponent = static_cast<int>((bits >> 52) + high) - 1023;
  const double m = std::bit_cast<double>((bits & 0xfffffffffffff) | (1023 - high) << 52);
  const double e = exponent + extra, m_lo = x.lo == 0 ? 0 : x.lo * (m / x.hi);
  const std::uint64_t i = std::bit_cast<std::uint64_t>(m * 128 + round_shift) & 0xff;
  const auto& [v, whole] = reciprocals[i - 96];
  const TwoDouble product = Arithmetic::two_product(m, v);
  const TwoDouble r = fast_two_sum(product.hi - 1, product.lo + m_lo * v);

  const TwoDouble square = Arithmetic::two_product(r.hi, r.hi);
  const double y = r.hi;
  const double cubic =
      y * square.hi *
      (1.0 / 3 +
       y * (-1.0 / 4 + y * (1.0 / 5 + y * (-1.0 / 6 + y * (1.0 / 7 + y * (-1.0 / 8 + y * (1.0 / 9)))))));
  const TwoDouble a = two_sum(e * 0x1.62e42fefa38p-1, whole.hi), b = two_sum(a.hi, r.hi),
                  c = two_sum(b.hi, -0.5 * square.hi);
  const double low =
      (c.lo + b.lo + a.lo) + (whole.lo + e * 0x1.ef35793c7673p-45) + (r.lo - (0.5 * square.lo + r.hi * r.lo));
  return fast_two_sum(c.hi, low + cubic);
}

/// x · 2^e for 1 ≤ x ≤ 2, rounded once more if it is denormal.
double times_power_of_two(double x, std::int64_t e) {
  const auto two_to = [](std::int64_t n) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
  };
  if (e >= -1022 && e <= 1023) [[likely]]
    return x * two_to(e);
  return x * two_to(e / 2) * two_to(e - e / 2);
}

/// e^z = 2^(k/128)(1 + r + r²/2 + …), to r⁶, rounded to 2^-70, with z = k ln2/128 + r, |r| < 2^-8.5.
double exponential(TwoDouble z) {
  if (z.hi > 710) return std::numeric_limits<double>::infinity();
  if (z.hi < -746) return 0;
  const double shifted = z.hi * 0x1.71547652b82fep7 + round_shift, k = shifted - round_shift;
  const TwoDouble near = two_diff(z.hi - k * 0x1.62e42fefcp-8, k * -0x1.c610ca86cp-44);
  const double r = near.hi, r_lo = near.lo + (z.lo - k * -0x1.c4c67fc0d0951p-83);
  const double square =
      r * r * (1.0 / 2 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720)))));
  const auto n = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(shifted) -
                                           std::bit_cast<std::uint64_t>(round_shift));
  const TwoDouble root = powers_of_two[static_cast<std::size_t>(n & 127)];
  const TwoDouble product = Arithmetic::two_product(root.hi, r), sum = fast_two_sum(root.hi, product.hi);
  const double low =
      sum.lo + ((product.lo + root.lo) + (root.hi * (r_lo + (square + r * r_lo)) + root.lo * r));
  return times_power_of_two(sum.hi + low, n >> 7);
}

/// x^y if x is 0, infinite, negative or NaN, or y is not finite.
double special_power(double x, double y) {
  if (std::isnan(x) || x < 0 || !(std::fabs(y) <= std::numeric_limits<double>::max()))
    return std::numeric_limits<double>::quiet_NaN();
  if (y == 0) return 1;
  return (x == 0) == (y > 0) ? 0 : std::numeric_limits<double>::infinity();
}

}  // namespace

double power_of(double x, double y) {
  constexpr double greatest = std::numeric_limits<double>::max();
  if (!(x > 0 && x <= greatest && std::fabs(y) <= greatest)) return special_power(x, y);
  const bool denormal = x < std::numeric_limits<double>::min();
  const TwoDouble log = logarithm({denormal ? x * 0x1p54 : x, 0}, denormal ? -54 : 0);
  const double rough = y * log.hi;
  if (!(std::fabs(rough) < 1000)) return rough > 0 ? std::numeric_limits<double>::infinity() : 0;
  if (std::fabs(rough) < 0x1p-70) return 1 + rough;  // products of smaller numbers lose their low halves
  const TwoDouble product = Arithmetic::two_product(y, log.hi);
  return exponential(fast_two_sum(product.hi, product.lo + y * log.lo));
}

/// asinh x = ln(x + √(x² + 1)); for small x by its series, to x⁹.
double hyperbolic_arc_sine_of(double x) {
  using Number = DoubleDouble<Arithmetic>;
  const double size = std::fabs(x);
  if (size < 0x1p-34 || !(size <= std::numeric_limits<double>::max())) return x;
  if (size < 0x1p-7) {
    const double x2 = x * x;
    return x + x * x2 * (-1.0 / 6 + x2 * (3.0 / 40 + x2 * (-5.0 / 112 + x2 * (35.0 / 1152))));
  }
  TwoDouble sum{size, 0};
  const bool huge = size > 0x1p60;  // then x + √(x² + 1) is 2x, with a relative error of 2^-122
  if (!huge) {
    const Number root = sqrt(Number(Arithmetic::two_product(size, size)) + Number(1)),
                 both = root + Number(size);
    sum = {both.hi, both.lo};
  }
  const TwoDouble log = logarithm(sum, huge ? 1 : 0);
  return std::copysign(log.hi + log.lo, x);
}

}  // namespace sphaera::exact::inline SPHAERA_SET
SPHAERA_SET_END

#if SPHAERA_ONCE
namespace sphaera::exact {

SPHAERA_IN_BOTH_SETS(double power_of(double x, double y); double hyperbolic_arc_sine_of(double x);)

double power(double x, double y) { return SPHAERA_CHOSEN(power_of(x, y)); }

double hyperbolic_arc_sine(double x) { return SPHAERA_CHOSEN(hyperbolic_arc_sine_of(x)); }

}  // namespace sphaera::exact
#endif
