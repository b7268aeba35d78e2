#pragma once
/// \file Powers of ten, rounded once, and decimal exponents: the same on every system. Logarithms and powers
/// of C libraries differ in the last bit.

#include <charconv>
#include <string>

namespace sphaera::tool {

/// Returns the largest e with power_of_ten(e) ≤ x, for finite x > 0.
inline int decimal_exponent(double x) {
  char text[32];
  const char* const end = std::to_chars(text, text + sizeof text, x, std::chars_format::scientific).ptr;
  const char* sign = end;
  while (sign[-1] != 'e') --sign;
  int exponent = 0;
  std::from_chars(sign + 1, end, exponent);
  return *sign == '-' ? -exponent : exponent;
}

/// Returns 10^e, rounded once. Precondition: e ≤ 308.
inline double power_of_ten(int e) {
  const std::string text = "1e" + std::to_string(e);
  double power = 0;
  std::from_chars(text.data(), text.data() + text.size(), power);
  return power;
}

}  // namespace sphaera::tool
