#include <bit>
#include <cmath>
#include <cstdint>
#include <tests/oracle/dyadic.hpp>

namespace sphaera::oracle {

long bit_length(const Integer& n) {
  if (n.is_zero()) return 0;
  return static_cast<long>(bmp::msb(n.sign() < 0 ? Integer(-n) : n)) + 1;
}

Integer floor_scaled(const Integer& n, long shift) {
  if (shift >= 0) return n << shift;
  if (n.sign() >= 0) return n >> -shift;
  return -((-n + (Integer(1) << -shift) - 1) >> -shift);
}

// Newton's iteration with the precision doubled at each step (the method of Python's math.isqrt, whose proof
// bounds the last iterate by one above the root).
Integer floor_sqrt(const Integer& n) {
  if (n.is_zero()) return 0;
  const long half = (bit_length(n) - 1) / 2;
  Integer root = 1;
  long digits = 0;
  for (int step = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(half))) - 1; step >= 0; --step) {
    const long before = digits;
    digits = half >> step;
    root = (root << (digits - before - 1)) + (n >> (2 * half - before - digits + 1)) / root;
  }
  return root * root > n ? Integer(root - 1) : root;
}

Dyadic::Dyadic(double value) : exponent_(0) {
  if (value == 0) return;
  int exponent = 0;
  const auto scaled = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(scaled));
  mantissa_ = scaled / (std::int64_t{1} << zeros);
  exponent_ = exponent - 53 + zeros;
}

Dyadic Dyadic::sum(std::span<const double> terms) {
  Dyadic total;
  for (const double term : terms) total = total + Dyadic(term);
  return total;
}

Dyadic operator+(const Dyadic& x, const Dyadic& y) {
  if (x.mantissa_.is_zero()) return y;
  if (y.mantissa_.is_zero()) return x;
  if (x.exponent_ < y.exponent_) return y + x;
  return {(x.mantissa_ << (x.exponent_ - y.exponent_)) + y.mantissa_, y.exponent_};
}

long double approximate(const Dyadic& x) {
  const long drop = bit_length(x.mantissa()) - 64;
  if (drop <= 0) return std::ldexp(static_cast<long double>(x.mantissa()), static_cast<int>(x.exponent()));
  const auto head = static_cast<long double>(x.mantissa() >> drop);
  return std::ldexp(head, static_cast<int>(x.exponent() + drop));
}

}  // namespace sphaera::oracle
