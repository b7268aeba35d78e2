#include <algorithm>
#include <base/strict_math.hpp>
#include <cmath>
#include <exact/numbers/integer.hpp>

namespace sphaera::exact {

template <int limbs>
void BasicInteger<limbs>::trim() {
  while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
  int zeros = 0;
  while (zeros < size_ && limbs_[zeros] == 0) ++zeros;
  if (zeros > 0) {
    std::copy(limbs_.begin() + zeros, limbs_.begin() + size_, limbs_.begin());
    size_ -= zeros;
    exponent_ += zeros;
  }
  if (size_ == 0) sign_ = 0, exponent_ = 0;
}

template <int limbs>
int BasicInteger<limbs>::compare_magnitudes(const BasicInteger& x, const BasicInteger& y) {
  if (x.top() != y.top()) return x.top() < y.top() ? -1 : 1;  // neither has a leading zero limb
  const int bottom = std::min(x.exponent_, y.exponent_);
  for (int p = x.top() - 1; p >= bottom; --p) {
    const std::uint64_t a = x.limb_at(p), b = y.limb_at(p);
    if (a != b) return a < b ? -1 : 1;
  }
  return 0;
}

template <int limbs>
BasicInteger<limbs> BasicInteger<limbs>::add_magnitudes(const BasicInteger& x, const BasicInteger& y) {
  BasicInteger r;
  r.exponent_ = std::min(x.exponent_, y.exponent_);
  r.size_ = std::max(x.top(), y.top()) - r.exponent_ + 1;
  assert(r.size_ <= capacity);
  Wide carry = 0;
  for (int i = 0; i < r.size_; ++i) {
    carry += x.limb_at(r.exponent_ + i);
    carry += y.limb_at(r.exponent_ + i);
    r.limbs_[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return r;
}

template <int limbs>
BasicInteger<limbs> BasicInteger<limbs>::subtract_magnitudes(const BasicInteger& larger,
                                                             const BasicInteger& smaller) {
  BasicInteger r;
  r.exponent_ = std::min(larger.exponent_, smaller.exponent_);
  r.size_ = larger.top() - r.exponent_;
  assert(r.size_ <= capacity);
  std::uint64_t borrow = 0;
  for (int i = 0; i < r.size_; ++i) {
    const auto difference =
        static_cast<Wide>(larger.limb_at(r.exponent_ + i)) - smaller.limb_at(r.exponent_ + i) - borrow;
    r.limbs_[i] = static_cast<std::uint64_t>(difference);
    borrow = static_cast<std::uint64_t>(difference >> 64) & 1;
  }
  return r;
}

template <int limbs>
BasicInteger<limbs> BasicInteger<limbs>::add(const BasicInteger& x, const BasicInteger& y) {
  if (x.sign_ == 0) return y;
  if (y.sign_ == 0) return x;
  BasicInteger r;
  if (x.sign_ == y.sign_) {
    r = add_magnitudes(x, y);
    r.sign_ = x.sign_;
  } else {
    const int order = compare_magnitudes(x, y);
    if (order == 0) return {};
    r = order > 0 ? subtract_magnitudes(x, y) : subtract_magnitudes(y, x);
    r.sign_ = order > 0 ? x.sign_ : y.sign_;
  }
  r.trim();
  return r;
}

template <int limbs>
BasicInteger<limbs> BasicInteger<limbs>::multiply(const BasicInteger& x, const BasicInteger& y) {
  BasicInteger r;
  if (x.sign_ == 0 || y.sign_ == 0) return r;
  r.sign_ = x.sign_ * y.sign_;
  r.exponent_ = x.exponent_ + y.exponent_;
  r.size_ = x.size_ + y.size_;
  assert(r.size_ <= capacity);
  std::fill_n(r.limbs_.begin(), r.size_, 0);
  for (int i = 0; i < x.size_; ++i) {
    std::uint64_t carry = 0;
    for (int j = 0; j < y.size_; ++j) {
      const auto t = static_cast<Wide>(x.limbs_[i]) * y.limbs_[j] + r.limbs_[i + j] + carry;
      r.limbs_[i + j] = static_cast<std::uint64_t>(t);
      carry = static_cast<std::uint64_t>(t >> 64);
    }
    r.limbs_[i + y.size_] = carry;
  }
  r.trim();
  return r;
}

template <int limbs>
void BasicInteger<limbs>::shift(int bits) {
  if (bits == 0 || size_ == 0) return;
  assert(size_ < capacity);
  limbs_[size_] = 0;
  for (int i = size_; i > 0; --i) limbs_[i] = (limbs_[i] << bits) | (limbs_[i - 1] >> (64 - bits));
  limbs_[0] <<= bits;
  ++size_;
  trim();
}

// Division from the low end (Jebelean, "An algorithm for exact division", J. Symb. Comput. 15, 1993). With y
// odd, the lowest limb of the remainder of x equals that of q·y, so the inverse of y's lowest limb modulo
// 2^64 gives the next limb of q.
template <int limbs>
BasicInteger<limbs> BasicInteger<limbs>::divide(const BasicInteger& x, const BasicInteger& y) {
  BasicInteger rest = x, odd = y, q;
  if (x.sign_ == 0) return q;
  const int zeros = std::countr_zero(y.limbs_[0]);
  rest.shift((64 - zeros) % 64), odd.shift((64 - zeros) % 64);
  std::uint64_t inverse = odd.limbs_[0];  // correct to 3 bits; each step doubles the number of correct bits
  for (int step = 0; step < 5; ++step) inverse *= 2 - odd.limbs_[0] * inverse;
  q.sign_ = x.sign_ * y.sign_;
  q.exponent_ = rest.exponent_ - odd.exponent_;
  q.size_ = rest.size_ - odd.size_ + 1;
  for (int i = 0; i < q.size_; ++i) {
    q.limbs_[i] = rest.limbs_[i] * inverse;
    std::uint64_t carry = 0;
    for (int j = 0; i + j < rest.size_; ++j) {
      const auto t = static_cast<Wide>(q.limbs_[i]) * (j < odd.size_ ? odd.limbs_[j] : 0) + carry;
      const auto low = static_cast<std::uint64_t>(t);
      carry = static_cast<std::uint64_t>(t >> 64) + (rest.limbs_[i + j] < low ? 1 : 0);
      rest.limbs_[i + j] -= low;
    }
  }
  q.trim();
  return q;
}

template <int limbs>
std::uint64_t BasicInteger<limbs>::bits53(int bit) const {
  const int position = bit >= 0 ? bit / 64 : -((63 - bit) / 64);
  const auto pair = (static_cast<Wide>(limb_at(position + 1)) << 64) | limb_at(position);
  return static_cast<std::uint64_t>(pair >> (bit - 64 * position)) & ((std::uint64_t{1} << 53) - 1);
}

template <int limbs>
typename BasicInteger<limbs>::Leading BasicInteger<limbs>::leading() const {
  const int width = 64 * top() - std::countl_zero(limbs_[size_ - 1]);  // 2^(width−1) ≤ |value| < 2^width
  const int exponent = width - 53;
  return {static_cast<double>(bits53(exponent)), std::ldexp(static_cast<double>(bits53(exponent - 53)), -53),
          exponent};
}

template class BasicInteger<288>;
template class BasicInteger<1280>;
template class BasicInteger<4992>;

}  // namespace sphaera::exact
