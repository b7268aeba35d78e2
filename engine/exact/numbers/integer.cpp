#include <algorithm>
#include <base/strict_math.hpp>
#include <cmath>
#include <exact/numbers/integer.hpp>

namespace sphaera::exact {

namespace {

__extension__ using SignedWide = __int128;

/// x + y + carry; `carry` becomes that of the result, 0 or 1.
std::uint64_t add_limbs(std::uint64_t x, std::uint64_t y, std::uint64_t& carry) {
  std::uint64_t sum = 0;
  const bool first = __builtin_add_overflow(x, y, &sum), second = __builtin_add_overflow(sum, carry, &sum);
  carry = static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(second);
  return sum;
}

/// x − y − borrow; `borrow` becomes that of the result, 0 or 1.
std::uint64_t subtract_limbs(std::uint64_t x, std::uint64_t y, std::uint64_t& borrow) {
  std::uint64_t rest = 0;
  const bool first = __builtin_sub_overflow(x, y, &rest),
             second = __builtin_sub_overflow(rest, borrow, &rest);
  borrow = static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(second);
  return rest;
}

/// x·y + to + carry; `carry` becomes the upper limb of the result.
std::uint64_t multiply_limbs(std::uint64_t x, std::uint64_t y, std::uint64_t to, std::uint64_t& carry) {
  const Wide t = static_cast<Wide>(x) * y + to + carry;
  carry = static_cast<std::uint64_t>(t >> 64);
  return static_cast<std::uint64_t>(t);
}

}  // namespace

template <int limbs>
void BasicInteger<limbs>::trim() {
  while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
  if (size_ == 0) {
    sign_ = 0, exponent_ = 0;
    return;
  }
  if (limbs_[0] != 0) return;
  int zeros = 1;
  while (limbs_[zeros] == 0) ++zeros;
  size_ -= zeros, exponent_ += zeros;
  for (int i = 0; i < size_; ++i) limbs_[i] = limbs_[i + zeros];
}

// Adds in two's complement if the lowest limb of every term is at most one away from that of the first
// nonzero term, as in most scenes; else term by term.
template <int limbs>
BasicInteger<limbs> BasicInteger<limbs>::sum(std::span<const double> terms) {
  BasicInteger s;
  // parts[i] counts units of 2^(64·(lowest + i)); 1000 terms below 2^116 and a carry stay below 2^127.
  SignedWide parts[4]{};
  int lowest = 0;
  bool any = false;
  for (const double term : terms) {
    if (term == 0) continue;
    const Placed placed(term);
    if (!any) lowest = placed.limb - 1, any = true;
    if (placed.limb < lowest || placed.limb > lowest + 2) {
      for (const double each : terms)
        if (each != 0) s = s + BasicInteger(each);
      return s;
    }
    const auto magnitude = static_cast<SignedWide>(placed.magnitude);
    parts[placed.limb - lowest] += term < 0 ? -magnitude : magnitude;
  }
  if (!any) return s;
  for (int i = 0; i < 3; ++i) parts[i + 1] += parts[i] >> 64;
  s.sign_ = parts[3] < 0 ? -1 : 1;
  const std::uint64_t flip = parts[3] < 0 ? ~std::uint64_t{0} : 0;
  std::uint64_t carry = flip & 1;
  // parts[0] is below the first term and mostly 0; leaving it out saves a move in trim().
  const int first = parts[0] == 0 ? 1 : 0;
  s.size_ = 4 - first, s.exponent_ = lowest + first;
  for (int i = 0; i < s.size_; ++i)
    s.limbs_[i] = add_limbs(static_cast<std::uint64_t>(parts[i + first]) ^ flip, 0, carry);
  s.trim();
  return s;
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
void BasicInteger<limbs>::set_sum(const BasicInteger& x, const BasicInteger& y) {
  const bool ordered = x.exponent_ <= y.exponent_;
  const BasicInteger &low = ordered ? x : y, &high = ordered ? y : x;
  exponent_ = low.exponent_;
  size_ = std::max(x.top(), y.top()) - exponent_ + 1;
  assert(size_ <= capacity);
  const int gap = high.exponent_ - exponent_, low_end = low.size_, high_end = gap + high.size_;
  int i = 0;
  for (; i < std::min(gap, low_end); ++i) limbs_[i] = low.limbs_[i];
  for (; i < gap; ++i) limbs_[i] = 0;
  std::uint64_t carry = 0;
  for (; i < std::min(low_end, high_end); ++i)
    limbs_[i] = add_limbs(low.limbs_[i], high.limbs_[i - gap], carry);
  for (; i < high_end; ++i) limbs_[i] = add_limbs(high.limbs_[i - gap], 0, carry);
  for (; i < low_end; ++i) limbs_[i] = add_limbs(low.limbs_[i], 0, carry);
  limbs_[i] = carry;
  trim();
}

template <int limbs>
void BasicInteger<limbs>::set_difference(const BasicInteger& larger, const BasicInteger& smaller) {
  exponent_ = std::min(larger.exponent_, smaller.exponent_);
  size_ = larger.top() - exponent_;
  assert(size_ <= capacity);
  // `begin` or `from` is 0: the exponent is that of one operand.
  const int begin = larger.exponent_ - exponent_, from = smaller.exponent_ - exponent_,
            to = from + smaller.size_;
  std::uint64_t borrow = 0;
  int i = 0;
  for (; i < std::min(begin, to); ++i) limbs_[i] = subtract_limbs(0, smaller.limbs_[i], borrow);
  for (; i < begin; ++i) limbs_[i] = subtract_limbs(0, 0, borrow);
  for (; i < from; ++i) limbs_[i] = larger.limbs_[i];
  for (; i < to; ++i) limbs_[i] = subtract_limbs(larger.limbs_[i - begin], smaller.limbs_[i - from], borrow);
  for (; i < size_; ++i) limbs_[i] = subtract_limbs(larger.limbs_[i - begin], 0, borrow);
  trim();
}

template <int limbs>
BasicInteger<limbs> BasicInteger<limbs>::add(const BasicInteger& x, const BasicInteger& y, int y_sign) {
  BasicInteger r;
  if (y_sign == 0) {
    r = x;
  } else if (x.sign_ == 0) {
    r = y, r.sign_ = y_sign;
  } else if (x.sign_ == y_sign) {
    r.set_sum(x, y), r.sign_ = y_sign;
  } else if (const int order = compare_magnitudes(x, y); order != 0) {
    order > 0 ? r.set_difference(x, y) : r.set_difference(y, x);
    r.sign_ = order > 0 ? x.sign_ : y_sign;
  }
  return r;
}

template <int limbs>
BasicInteger<limbs> BasicInteger<limbs>::multiply(const BasicInteger& x, const BasicInteger& y) {
  BasicInteger r;
  if (x.sign_ == 0 || y.sign_ == 0) return r;
  const BasicInteger &shorter = x.size_ <= y.size_ ? x : y, &longer = x.size_ <= y.size_ ? y : x;
  r.sign_ = x.sign_ * y.sign_;
  r.exponent_ = x.exponent_ + y.exponent_;
  r.size_ = x.size_ + y.size_;
  assert(r.size_ <= capacity);
  std::uint64_t carry = 0;
  for (int j = 0; j < longer.size_; ++j)
    r.limbs_[j] = multiply_limbs(shorter.limbs_[0], longer.limbs_[j], 0, carry);
  r.limbs_[longer.size_] = carry;
  for (int i = 1; i < shorter.size_; ++i) {
    carry = 0;
    for (int j = 0; j < longer.size_; ++j)
      r.limbs_[i + j] = multiply_limbs(shorter.limbs_[i], longer.limbs_[j], r.limbs_[i + j], carry);
    r.limbs_[i + longer.size_] = carry;
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

// Division from the low end (Jebelean, "An algorithm for exact division", J. Symb. Comput. 15, 1993). y is
// made odd. In each step rest = (the unknown part of q)·y. So the next limb of q is the lowest limb of rest ×
// the inverse of y's lowest limb, modulo 2^64.
template <int limbs>
BasicInteger<limbs> BasicInteger<limbs>::divide(const BasicInteger& x, const BasicInteger& y) {
  BasicInteger rest = x, odd = y, q;
  if (x.sign_ == 0) return q;
  const int zeros = std::countr_zero(y.limbs_[0]);
  // A left shift by 64 − zeros empties the lowest limb, which trim() removes: `odd` is odd.
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
  const int position = limb_of(bit);
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
