#include <algorithm>
#include <tests/oracle/radicals.hpp>

namespace sphaera::oracle {

namespace {

/// Leading bit of √x.
long top_of_root(const Dyadic& x) { return (x.top() + 1) >> 1; }

/// Least g ≥ 0 for which a·2^g, x·4^g and y·4^g are integers.
long integral_scale(const Dyadic& a, const Dyadic& x, const Dyadic& y) {
  return std::max({0L, -a.exponent(), (1 - x.exponent()) >> 1, (1 - y.exponent()) >> 1});
}

/// Leading bit of an upper bound of |a| + √x + √y. At least one of a, x and y is not 0.
long top_of_sum(const Dyadic& a, const Dyadic& x, const Dyadic& y) {
  long top = 0;
  bool any = false;
  const auto include = [&](const Dyadic& value, long bits) {
    if (value.sign() == 0) return;
    top = any ? std::max(top, bits) : bits;
    any = true;
  };
  include(a, a.top());
  include(x, top_of_root(x));
  include(y, top_of_root(y));
  return top + 2;
}

}  // namespace

// Scaled by 2^g, the value is an algebraic integer of degree ≤ 4. Each of its conjugates is below 2^h,
// h = g + top; their product is a non-zero integer unless the value is 0. So the scaled value is 0 or at
// least 2^-3h in magnitude, the value itself 0 or at least 2^(−3h − g). Where the floors leave the sign open,
// |value| < 2^(1−k); for k > 3h + g it is 0.
int sign_of_radicals(const Dyadic& a, const Dyadic& x, const Dyadic& y) {
  if (x.sign() == 0 && y.sign() == 0) return a.sign();
  const long g = integral_scale(a, x, y);
  const long top = top_of_sum(a, x, y);
  const long last = 3 * std::max(0L, g + top) + g + 1;
  for (long precision = 80;; precision *= 2) {
    const long k = std::min(precision - top, last);
    const Integer middle =
        a.floor_scaled(k) + floor_sqrt(x.floor_scaled(2 * k)) - floor_sqrt(y.floor_scaled(2 * k));
    if (middle >= 1) return 1;  // floors: the value lies strictly between middle − 1 and middle + 2
    if (middle <= -2) return -1;
    if (k == last) return 0;
  }
}

}  // namespace sphaera::oracle
