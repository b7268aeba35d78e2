#include <array>
#include <cmath>
#include <exact/numbers/wrapped.hpp>
#include <limits>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/oracle/dyadic.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

using oracle::compare, oracle::Dyadic;

/// x as a whole number of units of 2^−1074: every double is one.
oracle::Integer units(const Dyadic& x) { return x.floor_scaled(1074); }

/// The exact place in [lower, lower + edge), by long division.
Dyadic exact_place(double x, double lower, double edge) {
  const oracle::Integer length = units(edge);
  oracle::Integer above = (units(x) - units(lower)) % length;  // of the sign of the dividend
  if (above < 0) above += length;
  return Dyadic::scaled(units(lower) + above, -1074);
}

Dyadic distance(const Dyadic& a, const Dyadic& b) { return compare(a, b) < 0 ? b - a : a - b; }

/// Is y the double nearest to the place, and even where two are equally near?
bool is_nearest(double y, const Dyadic& place) {
  const Dyadic off = distance(y, place);
  for (const double other : {step(y, -1), step(y, 1)}) {
    const int nearer = compare(off, distance(other, place));
    if (nearer > 0 || (nearer == 0 && std::fmod(std::ldexp(y, -std::ilogb(y) + 52), 2) != 0)) return false;
  }
  return true;
}

/// The greatest double below x.
double below(const Dyadic& x) {
  auto y = static_cast<double>(approximate(x));
  while (compare(y, x) >= 0) y = step(y, -1);
  while (compare(step(y, 1), x) < 0) y = step(y, 1);
  return y;
}

/// The ends of periods around x, and what rounds onto them; places far away, and of other sizes.
double random_place(Random& random, double lower, double edge) {
  switch (random.below(5)) {
    case 0:
      return step(lower + random.whole(-3, 3) * edge, random.whole(-3, 3));
    case 1:
      return lower - random.log_uniform(1e-300, 1e-10);
    case 2:
      return lower + edge * random.between(-4, 5);
    case 3:
      return random.pattern(-1060, 190);
    default:
      return lower + edge * std::ldexp(random.whole(-9, 9), -2) + (random.one_in(2) ? 0 : edge * 0x1p-54);
  }
}

}  // namespace

TEST_CASE("a wrapped place lies in the box, at the double nearest to the exact one", "[exact]") {
  Random random(seed(), 510);
  int moved = 0, at_lower = 0;
  for (int i = fewer_in_repeats(100'000); i > 0; --i) {
    const double edge =
        random.one_in(4) ? std::fabs(random.pattern(-1060, 199)) : random.whole(1, 4000) / 8.0;
    const double lower = random.one_in(3)   ? 0
                         : random.one_in(3) ? random.pattern(-1060, 198)
                                            : random.whole(-999, 999) / 16.0;
    const double x = random_place(random, lower, edge), y = exact::wrapped(x, lower, edge);
    CAPTURE(x, lower, edge, y);
    const Dyadic place = exact_place(x, lower, edge), upper = Dyadic(lower) + edge;
    REQUIRE((y >= lower && compare(y, upper) < 0));
    if (compare(x, lower) >= 0 && compare(x, upper) < 0) {
      REQUIRE(y == x);
      continue;
    }
    ++moved;
    // What rounds onto the upper face or beyond is on the lower one.
    if (y == lower && compare(place, lower) != 0 && !is_nearest(y, place)) {
      ++at_lower;
      const double last = below(upper);
      REQUIRE(compare(distance(last, place), distance(step(last, 1), place)) >= 0);
      continue;
    }
    REQUIRE(is_nearest(y, place));
  }
  CHECK(moved > 1000);
  CHECK(at_lower > 100);
}

TEST_CASE("a wrapped place: faces, an axis without a period, periods far away", "[exact]") {
  using exact::wrapped;
  CHECK(wrapped(-0x1p-1074, 0, 10) == 0);  // 10 − 2^−1074 rounds to the upper face
  CHECK(wrapped(10, 0, 10) == 0);
  CHECK(wrapped(-1, -1, 10) == -1);
  CHECK(wrapped(9, -1, 10) == -1);
  CHECK(wrapped(-1.5, -1, 10) == 8.5);
  CHECK(wrapped(123, 5, 0) == 123);
  CHECK(wrapped(0x1p200, 0, 3) == 1);  // 2^200 = 4^100
  CHECK(wrapped(-0x1p200, 0, 3) == 2);
  CHECK(wrapped(0, 1, 0x1p-1000) == 1);
  CHECK(exact::wrapped(Vec3{-0.25, 7, 11}, {0, 0, 1}, {10, 0, 10}) == Vec3{9.75, 7, 1});
}
