#pragma once
/// \file Error-free transformations of doubles, with and without a fused multiply-add.
///
/// x + y and x·y as an unevaluated sum hi + lo, exactly (Knuth 1969; Dekker 1971), unless the result
/// overflows, a product is below 2^-969 or, without FMA, a factor is above 2^996. Requires round-to-nearest,
/// no flush to zero and no contraction (-ffp-contract=off).
/// All hot code is compiled for `Fused` and for `Plain`, as a template on both or twice
/// (instruction_sets.hpp), and chosen at run time (`has_fma`): a baseline x86-64 build would call a library
/// function for each std::fma. Both give the same decisions and the same bytes in all reported numbers:
/// two_product gives the same bits in both, also where it is not exact. `Dekker` is for code that runs the
/// same on all processors and bounds its underflow.

#include <base/processor.hpp>
#include <base/strict_math.hpp>
#include <cmath>

#ifndef SPHAERA_INLINE  // plain `inline` under Clang's sanitizers: CMakeLists.txt
#define SPHAERA_INLINE [[gnu::always_inline]] inline
#endif
#define SPHAERA_INLINE_LAMBDA __attribute__((always_inline))
#if defined(SPHAERA_X86_64)
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

/// Any processor: Dekker's product over Veltkamp's split. Below 2^-969 the residual's bits are not those of
/// `Fused`.
struct Dekker {
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

/// Any processor: the bits of `Fused`, for factors up to 2^996. Where a product p is below 2^-969, each
/// factor below 2^-484, at least one, is multiplied by 2^590; s is 2^590 or its square. Then no factor but 0
/// is below 2^-484, and Dekker's product q + lo is exactly s x y. q − s p is exact: 0 if |x y| ≥ 2^-1022,
/// else a multiple of q's last bit, and at most 2^52 of them. So q − s p + lo is s times the residual. If |x
/// y| ≥ 2^-1022 it is lo, and dividing lo by s rounds as `Fused` does. Else the residual is at most 2^-1075:
/// both give a zero of its sign.
struct Plain {
  SPHAERA_INLINE static double multiply_add(double x, double y, double z) { return x * y + z; }
  SPHAERA_INLINE static TwoDouble two_product(double x, double y) {
    const double p = x * y;
    const bool low = __builtin_fabs(p) < 0x1p-969;
    const bool x_low = low & (__builtin_fabs(x) < 0x1p-484), y_low = low & (__builtin_fabs(y) < 0x1p-484);
    const double up_x = x_low ? 0x1p590 : 1, up_y = y_low ? 0x1p590 : 1,  // & and ?:, which are no branches
        down_x = x_low ? 0x1p-590 : 1, down_y = y_low ? 0x1p-590 : 1;
    const TwoDouble scaled = Dekker::two_product(up_x * x, up_y * y);
    return {p, ((scaled.hi - p * up_x * up_y) + scaled.lo) * down_x * down_y};
  }
};

/// True if this processor and system run `SPHAERA_TARGET_FMA` code.
bool processor_has_fma();
/// The same, unless a program has its own definition.
bool has_fma();

}  // namespace sphaera::exact
