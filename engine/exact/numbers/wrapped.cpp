#include <cmath>
#include <exact/numbers/integer.hpp>
#include <exact/numbers/wrapped.hpp>

namespace sphaera::exact {
namespace {

int sign(const Integer& x) { return *x.sign(); }

/// The double nearest to x, ties to even. Precondition: x is a sum of doubles below 2^1000, so that bits
/// below the least denormal number are 0.
double nearest_double(const Integer& x) {
  if (sign(x) == 0) return 0;
  const Integer magnitude = sign(x) < 0 ? -x : x;
  const auto [hi, _, exponent] = magnitude.leading();
  const Integer to_middle = Integer::power_of_two(exponent - 1) - (magnitude - std::ldexp(hi, exponent));
  const bool up = sign(to_middle) < 0 || (sign(to_middle) == 0 && std::fmod(hi, 2) == 1);
  return sign(x) * std::ldexp(hi + (up ? 1 : 0), exponent);
}

}  // namespace

double wrapped(double x, double lower, double edge) {
  if (lies_in_period(x, lower, edge)) return x;
  const Integer length(edge), begin(lower);
  // fmod is exact: this differs from x − lower by whole periods, and is less than two of them.
  Integer above = Integer(std::fmod(x, edge)) - Integer(std::fmod(lower, edge));
  while (sign(above) < 0) above = above + length;
  while (sign(above - length) >= 0) above = above - length;
  // Not below `lower`, a double: rounding is monotonic.
  const double place = nearest_double(begin + above);
  return lies_in_period(place, lower, edge) ? place : lower;
}

}  // namespace sphaera::exact
