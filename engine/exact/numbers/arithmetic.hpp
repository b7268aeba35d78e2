#pragma once
/// \file Error-free transformations of doubles, with and without a fused multiply-add.
///
/// x + y and x·y as an unevaluated sum hi + lo, exactly (Knuth 1969; Dekker 1971), unless the result
/// overflows, a product is below 2^-969 or `Plain` multiplies a factor above 2^996. Requires round-to-nearest
/// and no contraction (-ffp-contract=off).
/// All hot code is a template on `Fused` or `Plain`, chosen once at run time (`has_fma`): a baseline x86-64
/// build would call a library function for each std::fma. Both give the same decisions and the same bytes in
/// all reported numbers: two_product is exact in both.

#include <base/strict_math.hpp>
#include <cmath>

#ifndef SPHAERA_INLINE  // plain `inline` under Clang's sanitizers: CMakeLists.txt
#define SPHAERA_INLINE [[gnu::always_inline]] inline
#endif
#define SPHAERA_INLINE_LAMBDA __attribute__((always_inline))
#if defined(__x86_64__)
/// Marks a function that may use AVX2 and FMA: call it only if `has_fma()`.
#define SPHAERA_TARGET_FMA [[gnu::target("avx2,fma")]]
#else
#define SPHAERA_TARGET_FMA
#endif

namespace sphaera::exact {

inline constexpr double u = 0x1p-53;  ///< unit roundoff of double

struct TwoDouble {
  double hi, lo;
};

/// The least double ≥ hi + lo, and the greatest double ≤ hi + lo. Precondition: hi is the double nearest to
/// the sum.
inline double rounded_up(const TwoDouble& x) { return x.lo > 0 ? std::nextafter(x.hi, HUGE_VAL) : x.hi; }
inline double rounded_down(const TwoDouble& x) { return x.lo < 0 ? std::nextafter(x.hi, -HUGE_VAL) : x.hi; }

SPHAERA_INLINE TwoDouble two_sum(double x, double y) {
  const double s = x + y;
  const double y_part = s - x;
  return {s, (x - (s - y_part)) + (y - y_part)};
}

SPHAERA_INLINE TwoDouble two_diff(double x, double y) { return two_sum(x, -y); }

/// As two_sum, given |x| ≥ |y| or x = 0.
SPHAERA_INLINE TwoDouble fast_two_sum(double x, double y) {
  const double s = x + y;
  return {s, y - (s - x)};
}

/// Hardware fused multiply-add.
struct Fused {
  /// x·y + z, with one rounding here and two in `Plain`: error bounds assume two.
  SPHAERA_INLINE static double multiply_add(double x, double y, double z) { return __builtin_fma(x, y, z); }
  SPHAERA_INLINE static TwoDouble two_product(double x, double y) {
    const double p = x * y;
    return {p, __builtin_fma(x, y, -p)};
  }
};

/// Any processor: Dekker's product over Veltkamp's split.
struct Plain {
  SPHAERA_INLINE static double multiply_add(double x, double y, double z) { return x * y + z; }
  SPHAERA_INLINE static TwoDouble two_product(double x, double y) {
    const double p = x * y;
    const TwoDouble a = split(x), b = split(y);
    return {p, ((a.hi * b.hi - p) + a.hi * b.lo + a.lo * b.hi) + a.lo * b.lo};
  }

 private:
  SPHAERA_INLINE static TwoDouble split(double x) {
    const double c = 0x1.0000002p27 * x;  // 2^27 + 1: halves of 26 bits
    const double hi = c - (c - x);
    return {hi, x - hi};
  }
};

/// True if this processor and system run `SPHAERA_TARGET_FMA` code.
bool has_fma();

}  // namespace sphaera::exact
