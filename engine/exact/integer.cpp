#include <algorithm>
#include <exact/integer.hpp>

namespace sphaera::exact {

void Integer::trim() {
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

int Integer::compare_magnitudes(const Integer& x, const Integer& y) {
  if (x.top() != y.top()) return x.top() < y.top() ? -1 : 1;  // neither has a leading zero limb
  const int bottom = std::min(x.exponent_, y.exponent_);
  for (int p = x.top() - 1; p >= bottom; --p) {
    const std::uint64_t a = x.limb_at(p), b = y.limb_at(p);
    if (a != b) return a < b ? -1 : 1;
  }
  return 0;
}

Integer Integer::add_magnitudes(const Integer& x, const Integer& y) {
  Integer r;
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

Integer Integer::subtract_magnitudes(const Integer& larger, const Integer& smaller) {
  Integer r;
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

Integer operator+(const Integer& x, const Integer& y) {
  if (x.sign_ == 0) return y;
  if (y.sign_ == 0) return x;
  Integer r;
  if (x.sign_ == y.sign_) {
    r = Integer::add_magnitudes(x, y);
    r.sign_ = x.sign_;
  } else {
    const int order = Integer::compare_magnitudes(x, y);
    if (order == 0) return {};
    r = order > 0 ? Integer::subtract_magnitudes(x, y) : Integer::subtract_magnitudes(y, x);
    r.sign_ = order > 0 ? x.sign_ : y.sign_;
  }
  r.trim();
  return r;
}

Integer operator*(const Integer& x, const Integer& y) {
  Integer r;
  if (x.sign_ == 0 || y.sign_ == 0) return r;
  r.sign_ = x.sign_ * y.sign_;
  r.exponent_ = x.exponent_ + y.exponent_;
  r.size_ = x.size_ + y.size_;
  assert(r.size_ <= Integer::capacity);
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

std::uint64_t Integer::bits53(int bit) const {
  const int position = bit >= 0 ? bit / 64 : -((63 - bit) / 64);
  const auto pair = (static_cast<Wide>(limb_at(position + 1)) << 64) | limb_at(position);
  return static_cast<std::uint64_t>(pair >> (bit - 64 * position)) & ((std::uint64_t{1} << 53) - 1);
}

Integer::Leading Integer::leading() const {
  const int width = 64 * top() - std::countl_zero(limbs_[size_ - 1]);  // 2^(width−1) ≤ |value| < 2^width
  const int exponent = width - 53;
  return {static_cast<double>(bits53(exponent)), std::ldexp(static_cast<double>(bits53(exponent - 53)), -53),
          exponent};
}

}  // namespace sphaera::exact
