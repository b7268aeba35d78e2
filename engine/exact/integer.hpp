#pragma once
/// \file Stage 3: exact dyadic rationals, sign · magnitude · 2^(64·exponent), in a fixed buffer.
///
/// Every finite double is one; sums, differences and products are exact and allocate nothing.
/// Capacity: a double spans bits 2^-1074 … 2^1023, 33 limbs of 64 bits, sums of four 34. The widest
/// expression (signs.hpp) about one line is Q = aγ² + 4bβγ + 4cβ² with a ≤ 69 limbs, γ ≤ 70: a·γ² ≤ 69 + 140
/// limbs, and three more for the factor 4 and carries: 212. p(T) = |L + T·D|² needs 2·(33 + 34 + 2) + 2.
/// Lines of bullets and spheres that move have lengths, velocities and times ≤ 2^200: D spans 2^-1074 …
/// 2^202, L, with its product, 2^-2148 … 2^402, a 2^-2148 … 2^406, c 2^-4296 … 2^806, γ = a1c2 − a2c1
/// 2^-6444 … 2^1213, a γ² and its like 2^-15036 … 2^2836: 17872 bits, 280 limbs and one for their places, two
/// for carries: 283 ≤ `capacity`.

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

namespace sphaera::exact {

__extension__ using Wide = unsigned __int128;  // two limbs

class Integer {
 public:
  static constexpr int capacity = 288;

  Integer() = default;

  /// Exactly x, which is finite.
  Integer(double x) {
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

  Integer(const Integer& other) { *this = other; }
  Integer& operator=(const Integer& other) {
    sign_ = other.sign_, size_ = other.size_, exponent_ = other.exponent_;
    for (int i = 0; i < size_; ++i) limbs_[i] = other.limbs_[i];
    return *this;
  }

  static Integer sum(std::span<const double> terms) {
    Integer s;
    for (const double term : terms) {
      if (term != 0) s = s + Integer(term);
    }
    return s;
  }

  Integer operator-() const {
    Integer r = *this;
    r.sign_ = -r.sign_;
    return r;
  }
  friend Integer operator+(const Integer& x, const Integer& y);
  friend Integer operator-(const Integer& x, const Integer& y) { return x + (-y); }
  friend Integer operator*(const Integer& x, const Integer& y);

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
  /// No zero limb at either end; zero has size 0.
  void trim();
  int top() const { return exponent_ + size_; }
  std::uint64_t limb_at(int position) const {
    const int i = position - exponent_;
    return i >= 0 && i < size_ ? limbs_[i] : 0;
  }
  /// 53 bits of the magnitude, the lowest worth 2^bit.
  std::uint64_t bits53(int bit) const;

  static int compare_magnitudes(const Integer& x, const Integer& y);
  static Integer add_magnitudes(const Integer& x, const Integer& y);
  static Integer subtract_magnitudes(const Integer& larger, const Integer& smaller);

  int sign_ = 0, size_ = 0, exponent_ = 0;
  std::array<std::uint64_t, capacity> limbs_;  // only the first size_ are set
};

}  // namespace sphaera::exact
