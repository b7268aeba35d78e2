#pragma once
/// \file x^y accurate to the last bits of a double, for loops over arrays. It uses only + − × ÷ and integers,
/// no tables and no branches, so the compiler can vectorize it. No operation is fused, so every instruction
/// set gives the same bits.

#include <array>
#include <bit>
#include <cstdint>
#include <exact/numbers/arithmetic.hpp>
#include <numbers>

namespace sphaera::star_light {

/// Coefficients of log2((1 + s)/(1 − s)) = s Σ 2/((2i + 1) ln 2) s^2i and of 2^f = Σ (ln 2)^i/i! f^i: the
/// first coefficient is off by less than 2u of itself in log2 and exact in 2^f, the others are off by 3u and
/// 3iu.
struct PowerSeries {
  std::array<double, 10> logarithm;
  std::array<double, 14> exponential;

  constexpr PowerSeries() : logarithm(), exponential() {
    for (int i = 0; i < 10; ++i) logarithm[i] = 2 / ((2 * i + 1) * std::numbers::ln2);
    double term = 1;
    for (int i = 0; i < 14; ++i) exponential[i] = term, term = term * std::numbers::ln2 / (i + 1);
  }
};

inline constexpr PowerSeries power_series;

/// Σ c_i x^i: terms of even and odd i are summed side by side, which halves the latency.
template <std::size_t Size>
SPHAERA_INLINE double series_sum(const std::array<double, Size>& c, double x) {
  static_assert(Size % 2 == 0);
  const double square = x * x;
  double even = c[Size - 2], odd = c[Size - 1];
  for (std::size_t i = Size - 2; i > 0; i -= 2)
    even = even * square + c[i - 2], odd = odd * square + c[i - 1];
  return even + x * odd;
}

/// x^y for 0 ≤ x ≤ 1 and finite y ≥ 1. Relative error below 2^-50; a result below 2^-1000 may come out as
/// 2^-1000.
///
/// With x = 2^k m, √½ ≤ m < √2, s = (m − 1)/(m + 1), |s| < 0.1716: log2 m is off by 7u of itself (s by 2u,
/// its series by 4u with the 0.2u that it leaves out, their product by 1u). As |log2 m| ≤ |log2 x|, the sum
/// with k is off by 8u of itself and z = y log2 x by 9u. With z = n + f, |f| ≤ 1/2, 2^f is off by 4u: the two
/// sums by u each, the odd terms by 0.8u, over 2^-1/2 at worst. Altogether x^y is off by (9L + 4)u e^-L, L =
/// −ln x^y, which is at most 5.2u, 2^-50.6.
SPHAERA_INLINE double quick_power(double x, double y) {
  constexpr std::uint64_t one = std::uint64_t{1023} << 52;
  constexpr auto below_root = one - std::bit_cast<std::uint64_t>(std::numbers::sqrt2 / 2);
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t exponent = (bits + below_root) >> 52;  // k + 1023
  const double m = std::bit_cast<double>(bits + one - (exponent << 52));
  const double k = std::bit_cast<double>(exponent | std::bit_cast<std::uint64_t>(0x1p52)) - (0x1p52 + 1023);
  const double s = (m - 1) / (m + 1);
  const double product = y * (k + s * series_sum(power_series.logarithm, s * s));

  // For 0 and denormals k is −1021 or less.
  const double z = product > -1000 ? product : -1000;
  const double shifted = z + 0x1.8p52, f = z - (shifted - 0x1.8p52);  // n, in the last bits
  const double whole = std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) << 52) + one);
  return whole * series_sum(power_series.exponential, f);
}

}  // namespace sphaera::star_light
