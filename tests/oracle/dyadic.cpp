#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <tests/oracle/dyadic.hpp>

namespace sphaera::oracle {

long bit_length(const Integer& n) {
  if (n.is_zero()) return 0;
  const auto& limbs = n.backend();
  return static_cast<long>((limbs.size() - 1) * 64 + std::bit_width(limbs.limbs()[limbs.size() - 1]));
}

Integer floor_scaled(const Integer& n, long shift) {
  if (shift >= 0) return n << shift;
  if (n.sign() >= 0) return n >> -shift;
  return -((-n + (Integer(1) << -shift) - 1) >> -shift);
}

namespace {

/// ⌊√n⌋, from a root that rounding leaves within one of it.
std::uint64_t floor_sqrt_of_word(std::uint64_t n) {
  constexpr std::uint64_t greatest = 0xffff'ffff;
  std::uint64_t root = std::min(static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n))), greatest);
  while (root * root > n) --root;
  while (n - root * root > 2 * root) ++root;
  return root;
}

}  // namespace

// Newton's iteration with the precision doubled at each step: the method of Python's math.isqrt, whose proof
// keeps each iterate within one of the root of the leading digits. It starts with the leading digits that fit
// a word.
Integer floor_sqrt(const Integer& n) {
  if (n.is_zero()) return 0;
  constexpr int width = 5;  // the first root has digits + 1 bits, digits < 2^width: its square fits a word
  const long half = (bit_length(n) - 1) / 2;
  auto step = static_cast<long>(std::bit_width(static_cast<std::uint64_t>(half >> width)));
  long digits = half >> step;
  Integer root = floor_sqrt_of_word(static_cast<std::uint64_t>(n >> (2 * (half - digits))));
  while (--step >= 0) {
    const long before = digits;
    digits = half >> step;
    Integer quotient = n >> (2 * half - before - digits + 1);
    quotient /= root;
    root <<= digits - before - 1;
    root += quotient;
  }
  return root * root > n ? Integer(root - 1) : root;
}

// Reads the bits as the engine does; oracle_test.cpp compares them with std::ldexp.
Dyadic::Dyadic(double value) : exponent_(0) {
  if (value == 0) return;
  constexpr int digits = 52, bias = 1075;
  constexpr std::uint64_t leading = std::uint64_t{1} << digits;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto power = static_cast<int>(bits >> digits & 0x7ff);
  const std::uint64_t scaled = (bits & (leading - 1)) | (power == 0 ? 0 : leading);
  const int zeros = std::countr_zero(scaled);
  mantissa_ = scaled >> zeros;
  if (std::signbit(value)) mantissa_.backend().negate();
  exponent_ = std::max(power, 1) - bias + zeros;
}

Dyadic Dyadic::sum(std::span<const double> terms) {
  Dyadic total;
  for (const double term : terms) total = total + Dyadic(term);
  return total;
}

Dyadic operator+(const Dyadic& x, const Dyadic& y) {
  if (x.sign() == 0) return y;
  if (y.sign() == 0) return x;
  if (x.exponent_ < y.exponent_) return y + x;
  Integer mantissa = x.mantissa_;
  mantissa <<= x.exponent_ - y.exponent_;
  mantissa += y.mantissa_;
  return {std::move(mantissa), y.exponent_};
}

Dyadic operator-(const Dyadic& x, const Dyadic& y) {
  if (y.sign() == 0) return x;
  if (x.sign() == 0 || x.exponent_ < y.exponent_) return -y + x;
  Integer mantissa = x.mantissa_;
  mantissa <<= x.exponent_ - y.exponent_;
  mantissa -= y.mantissa_;
  return {std::move(mantissa), y.exponent_};
}

int compare(const Dyadic& x, const Dyadic& y) {
  if (x.sign() != y.sign()) return x.sign() < y.sign() ? -1 : 1;
  if (x.sign() != 0 && x.top() != y.top()) return (x.top() < y.top()) == (x.sign() > 0) ? -1 : 1;
  return (x - y).sign();
}

long double approximate(const Dyadic& x) {
  const long drop = bit_length(x.mantissa()) - 64;
  if (drop <= 0) return std::ldexp(static_cast<long double>(x.mantissa()), static_cast<int>(x.exponent()));
  const auto head = static_cast<long double>(x.mantissa() >> drop);
  return std::ldexp(head, static_cast<int>(x.exponent() + drop));
}

}  // namespace sphaera::oracle
