#pragma once
/// \file Exact numbers of the form m·2^e: every finite double is one, and so are sums, differences and
/// products.

#include <boost/multiprecision/cpp_int.hpp>
#include <span>

namespace sphaera::oracle {

namespace bmp = boost::multiprecision;

/// Grows without limit. A number of up to 1536 bits needs no heap; most decisions fit.
using Integer = bmp::number<
    bmp::cpp_int_backend<1536, 0, bmp::signed_magnitude, bmp::unchecked, std::allocator<bmp::limb_type>>,
    bmp::et_off>;

/// Number of binary digits of |n|; 0 for 0.
long bit_length(const Integer& n);

/// ⌊n·2^shift⌋.
Integer floor_scaled(const Integer& n, long shift);

/// ⌊√n⌋, n ≥ 0.
Integer floor_sqrt(const Integer& n);

/// mantissa·2^exponent, never rounded.
class Dyadic {
 public:
  Dyadic(double value = 0);  // implicit on purpose: formulas read as they are written on paper; finite only

  /// mantissa·2^exponent.
  static Dyadic scaled(const Integer& mantissa, long exponent) { return {mantissa, exponent}; }
  /// The exact sum of all terms.
  static Dyadic sum(std::span<const double> terms);

  int sign() const { return mantissa_.sign(); }
  const Integer& mantissa() const { return mantissa_; }
  long exponent() const { return exponent_; }

  /// Position of the leading bit: 2^(top−1) ≤ |x| < 2^top; meaningless for 0.
  long top() const { return bit_length(mantissa_) + exponent_; }
  /// ⌊x·2^shift⌋.
  Integer floor_scaled(long shift) const { return oracle::floor_scaled(mantissa_, exponent_ + shift); }

  friend Dyadic operator+(const Dyadic& x, const Dyadic& y);
  friend Dyadic operator-(const Dyadic& x, const Dyadic& y);
  friend Dyadic operator-(const Dyadic& x) { return {-x.mantissa_, x.exponent_}; }
  friend Dyadic operator*(const Dyadic& x, const Dyadic& y) {
    return {x.mantissa_ * y.mantissa_, x.exponent_ + y.exponent_};
  }

 private:
  Dyadic(Integer mantissa, long exponent) : mantissa_(std::move(mantissa)), exponent_(exponent) {}

  Integer mantissa_;
  long exponent_;
};

/// x truncated to 64 bits: for making test cases, not for judging them.
long double approximate(const Dyadic& x);

/// Sign of x − y.
int compare(const Dyadic& x, const Dyadic& y);

}  // namespace sphaera::oracle
