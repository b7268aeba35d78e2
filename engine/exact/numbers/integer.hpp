#pragma once
/// \file Stage 3: exact dyadic rationals, sign · magnitude · 2^(64·exponent), in a fixed buffer.
///
/// Every finite double is such a number. Sums, differences and products are exact; nothing allocates.
/// Capacity: the widest expression about one line needs 212 limbs of 64 bits, about bullets and moving
/// spheres 283 ≤ 288, the capacity of `Integer` (engine/exact/proofs.md, proof 6). Folders that need more
/// define a capacity of their own and its proof (sturm.hpp).

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace sphaera::exact {

__extension__ using Wide = unsigned __int128;  // two limbs

template <int limbs>
class BasicInteger {
 public:
  static constexpr int capacity = limbs;

  BasicInteger() = default;

  /// Exactly x. Precondition: x is finite.
  BasicInteger(double x) {
    if (x == 0) return;
    const Placed placed(x);
    sign_ = x < 0 ? -1 : 1;
    size_ = 2;
    exponent_ = placed.limb;
    limbs_[0] = static_cast<std::uint64_t>(placed.magnitude);
    limbs_[1] = static_cast<std::uint64_t>(placed.magnitude >> 64);
    trim();
  }

  BasicInteger(const BasicInteger& other) { *this = other; }
  BasicInteger& operator=(const BasicInteger& other) {
    sign_ = other.sign_, size_ = other.size_, exponent_ = other.exponent_;
    std::memmove(limbs_.data(), other.limbs_.data(),
                 inline_limbs * sizeof limbs_[0]);  // inline: most numbers are short
    for (int i = inline_limbs; i < size_; ++i) limbs_[i] = other.limbs_[i];
    return *this;
  }

  /// The exact sum. Preconditions: every term is finite; there are at most 1000.
  static BasicInteger sum(std::span<const double> terms);

  BasicInteger operator-() const {
    BasicInteger r = *this;
    r.sign_ = -r.sign_;
    return r;
  }
  friend BasicInteger operator+(const BasicInteger& x, const BasicInteger& y) { return add(x, y, y.sign_); }
  friend BasicInteger operator-(const BasicInteger& x, const BasicInteger& y) { return add(x, y, -y.sign_); }
  friend BasicInteger operator*(const BasicInteger& x, const BasicInteger& y) { return multiply(x, y); }

  /// x/y. Preconditions: y ≠ 0, and x/y is a dyadic rational.
  friend BasicInteger exact_quotient(const BasicInteger& x, const BasicInteger& y) { return divide(x, y); }

  /// This number in a buffer of another size. Precondition: it fits.
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
    const int limb = limb_of(exponent);
    BasicInteger r;
    r.sign_ = 1, r.size_ = 1, r.exponent_ = limb;
    r.limbs_[0] = std::uint64_t{1} << (exponent - 64 * limb);
    return r;
  }

  /// −1, 0 or 1; never nullopt. The type is optional so that formulas work for `Bounded`, too.
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

  static constexpr int inline_limbs = 8;  ///< limbs that a copy moves inline

  /// The position of the limb that holds the bit 2^bit: bit/64, rounded down.
  static constexpr int limb_of(int bit) { return bit >> 6; }

  /// |x| = magnitude · 2^(64·limb), magnitude < 2^116. Precondition: x is finite and not 0.
  struct Placed {
    explicit Placed(double x) {
      constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1;
      const auto bits = std::bit_cast<std::uint64_t>(x);
      const int biased = static_cast<int>(bits >> 52 & 0x7ff);  // 0: denormal
      const std::uint64_t mantissa = (bits & fraction) | (biased == 0 ? 0 : fraction + 1);
      const int e = (biased == 0 ? 1 : biased) - 1075;  // |x| = mantissa · 2^e
      limb = limb_of(e);
      magnitude = static_cast<Wide>(mantissa) << (e & 63);
    }

    int limb;
    Wide magnitude;
  };

  /// x + y, where y has the sign y_sign.
  static BasicInteger add(const BasicInteger& x, const BasicInteger& y, int y_sign);
  static BasicInteger multiply(const BasicInteger& x, const BasicInteger& y);
  static BasicInteger divide(const BasicInteger& x, const BasicInteger& y);
  /// Multiplies by 2^bits, 0 ≤ bits < 64.
  void shift(int bits);
  /// Removes zero limbs at both ends; zero has size 0.
  void trim();
  int top() const { return exponent_ + size_; }
  std::uint64_t limb_at(int position) const {
    const int i = position - exponent_;
    return i >= 0 && i < size_ ? limbs_[i] : 0;
  }
  /// 53 bits of the magnitude; the lowest bit has the value 2^bit.
  std::uint64_t bits53(int bit) const;

  static int compare_magnitudes(const BasicInteger& x, const BasicInteger& y);
  /// Sets the magnitude to |x| + |y| or |larger| − |smaller|; neither is 0.
  void set_sum(const BasicInteger& x, const BasicInteger& y);
  void set_difference(const BasicInteger& larger, const BasicInteger& smaller);

  int sign_ = 0, size_ = 0, exponent_ = 0;
  std::array<std::uint64_t, capacity> limbs_;  // only the first size_ are set
};

using Integer = BasicInteger<288>;

}  // namespace sphaera::exact
