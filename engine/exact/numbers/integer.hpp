#pragma once
/// \file Stage 3: exact dyadic rationals, sign · magnitude · 2^(64·exponent), in a fixed buffer.
///
/// Every finite double is one; sums, differences and products are exact and allocate nothing.
/// Capacity: a double spans bits 2^-1074 … 2^1023, 33 limbs of 64 bits, sums of four 34. The widest
/// Capacity: a double spans bits 2^-1074 … 2^1023, 33 limbs of 64 bits, sums of four 34. The widest
/// expression (signs.hpp) about one line is Q = aγ² + 4bβγ + 4cβ² with a ≤ 69 limbs, γ ≤ 70: a·γ² ≤ 69 + 140
/// limbs, and three more for the factor 4 and carries: 212. p(T) = |L + T·D|² needs 2·(33 + 34 + 2) + 2.
/// Lines of bullets and spheres that move have lengths, velocities and times ≤ 2^200 (a T that is a sum of
/// two ≤ 2^201: p(T) spans 2^-4296 … 2^808): D spans 2^-1074 … 2^202, L, with its product, 2^-2148 … 2^402, a
/// 2^-2148 … 2^406, c 2^-4296 … 2^806, γ = a1c2 − a2c1 2^-6444 … 2^1213, a γ² and its like 2^-15036 … 2^2836:
/// 17872 bits, 280 limbs and one for their places, two for carries: 283 ≤ 288, the capacity of `Integer`.
/// Rooms that need more say so beside a capacity of their own (sturm.hpp).

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

namespace sphaera::exact {

__extension__ using Wide = unsigned __int128;  // two limbs

template <int limbs>
class BasicInteger {
 public:
  static constexpr int capacity = limbs;

  BasicInteger() = default;

  /// Exactly x, which is finite.
  BasicInteger(double x) {
    if (x == 0) return;
    int e;
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(x), &e), 53));
    e -= 53;  // |x| = mantissa · 2^e
    exponent_ = e >= 0 ? e / 64 : -((63 - e) / 64);
    const auto shifted = static_cast<Wide>(mantissa) << (e - 64 * exponent_);
    sign_ = x < 0 ? -1 : 1;
    size_ = 2;
    limbs_[0] = static_cast<std::uint64_t>(shifted);
    limbs_[1] = static_cast<std::uint64_t>(shifted >> 64);
    trim();
  }

  BasicInteger(const BasicInteger& other) { *this = other; }
  BasicInteger& operator=(const BasicInteger& other) {
    sign_ = other.sign_, size_ = other.size_, exponent_ = other.exponent_;
    for (int i = 0; i < size_; ++i) limbs_[i] = other.limbs_[i];
    return *this;
  }

  static BasicInteger sum(std::span<const double> terms) {
    BasicInteger s;
    for (const double term : terms) {
      if (term != 0) s = s + BasicInteger(term);
    }
    return s;
  }

  BasicInteger operator-() const {
    BasicInteger r = *this;
    r.sign_ = -r.sign_;
    return r;
  }
  friend BasicInteger operator+(const BasicInteger& x, const BasicInteger& y) { return add(x, y); }
  friend BasicInteger operator-(const BasicInteger& x, const BasicInteger& y) { return add(x, -y); }
  friend BasicInteger operator*(const BasicInteger& x, const BasicInteger& y) { return multiply(x, y); }

  /// x/y, which is known to be such a number itself; y ≠ 0.
  friend BasicInteger exact_quotient(const BasicInteger& x, const BasicInteger& y) { return divide(x, y); }

  /// This number in a buffer of another size; it fits.
  template <int other>
  explicit operator BasicInteger<other>() const {
    BasicInteger<other> r;
    assert(size_ <= other);
    r.sign_ = sign_, r.size_ = size_, r.exponent_ = exponent_;
    for (int i = 0; i < size_; ++i) r.limbs_[i] = limbs_[i];
    return r;
  }

  /// 2^exponent.
  static BasicInteger power_of_two(int exponent) {
    const int limb = exponent >= 0 ? exponent / 64 : -((63 - exponent) / 64);
    BasicInteger r;
    r.sign_ = 1, r.size_ = 1, r.exponent_ = limb;
    r.limbs_[0] = std::uint64_t{1} << (exponent - 64 * limb);
    return r;
  }

  /// −1, 0 or 1: always known (optional to share formulas with `Bounded`).
  std::optional<int> sign() const { return sign_; }

  /// |value| ≈ (hi + lo) · 2^exponent with hi in [2^52, 2^53), |lo| < 1: truncated after 106 bits, relative
  /// error < 2^-105. The value is not 0.
  struct Leading {
    double hi, lo;
    int exponent;
  };
  Leading leading() const;

 private:
  template <int other>
  friend class BasicInteger;

  static BasicInteger add(const BasicInteger& x, const BasicInteger& y);
  static BasicInteger multiply(const BasicInteger& x, const BasicInteger& y);
  static BasicInteger divide(const BasicInteger& x, const BasicInteger& y);
  /// Multiplies by 2^bits, 0 ≤ bits < 64.
  void shift(int bits);
  /// No zero limb at either end; zero has size 0.
  void trim();
  int top() const { return exponent_ + size_; }
  std::uint64_t limb_at(int position) const {
    const int i = position - exponent_;
    return i >= 0 && i < size_ ? limbs_[i] : 0;
  }
  /// 53 bits of the magnitude, the lowest worth 2^bit.
  std::uint64_t bits53(int bit) const;

  static int compare_magnitudes(const BasicInteger& x, const BasicInteger& y);
  static BasicInteger add_magnitudes(const BasicInteger& x, const BasicInteger& y);
  static BasicInteger subtract_magnitudes(const BasicInteger& larger, const BasicInteger& smaller);

  int sign_ = 0, size_ = 0, exponent_ = 0;
  std::array<std::uint64_t, capacity> limbs_;  // only the first size_ are set
};

using Integer = BasicInteger<288>;

}  // namespace sphaera::exact
