#include <algorithm>
#include <cmath>
#include <exact/numbers/integer.hpp>
#include <limits>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/oracle/dyadic.hpp>
#include <tests/seed.hpp>
#include <vector>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// Up to four terms: of like sizes, of any sizes, zeros, and some that cancel.
std::vector<double> random_terms(Random& random) {
  const int spread = random.one_in(3) ? 2000 : random.whole(1, 200),
            least = random.whole(-1074, 1020 - spread / 4);
  std::vector<double> terms;
  for (int i = random.whole(0, 4); i > 0; --i) {
    const double fresh = random.pattern(least, std::min(least + spread, 1022));
    const bool again = !terms.empty() && random.one_in(4);
    terms.push_back(random.one_in(6) ? std::copysign(0, fresh) : again ? -terms.back() : fresh);
  }
  return terms;
}

/// ⌊|x|/2^shift⌋ as a double: it has 53 bits at most.
double leading_bits(const oracle::Dyadic& x, long shift) {
  return static_cast<double>(oracle::floor_scaled(abs(x.mantissa()), x.exponent() - shift));
}

/// x rounded toward 0 to a double, at most the greatest one; x is not 0.
double leading_part(const oracle::Dyadic& x) {
  if (x.top() > 1024) return x.sign() * std::numeric_limits<double>::max();
  const long shift = std::max(x.top() - 53, -1074L);
  return x.sign() * std::ldexp(leading_bits(x, shift), static_cast<int>(shift));
}

/// x minus the oracle's sum, which is subtracted as doubles from its leading bits down.
exact::Integer less_parts(exact::Integer x, oracle::Dyadic sum) {
  while (sum.sign() != 0) {
    const double part = leading_part(sum);
    x = x - exact::Integer(part);
    sum = sum - part;
  }
  return x;
}

}  // namespace

TEST_CASE("an integer made of terms is their exact sum", "[exact]") {
  const int cases = fewer_in_repeats(100'000);
  Random random(seed(), 500);
  for (int i = 0; i < cases; ++i) {
    const std::vector<double> terms = random_terms(random);
    const exact::Integer sum = exact::Integer::sum(terms);
    const oracle::Dyadic expected = oracle::Dyadic::sum(terms);
    CAPTURE(i, terms);
    REQUIRE(sum.sign() == expected.sign());
    REQUIRE(less_parts(sum, expected).sign() == 0);
    if (expected.sign() == 0) continue;
    const exact::Integer::Leading leading = sum.leading();
    REQUIRE(leading.exponent == expected.top() - 53);
    REQUIRE(leading.hi == leading_bits(expected, leading.exponent));
  }
}

TEST_CASE("sums of as many terms as may be", "[exact]") {
  constexpr std::size_t most = 1000;
  const double widest = std::ldexp(0x1p53 - 1, 63);  // begins in the last bit of a limb
  for (const double term : {widest, -widest}) {
    const std::vector<double> terms(most, term);
    CHECK(less_parts(exact::Integer::sum(terms), oracle::Dyadic(term) * oracle::Dyadic(most)).sign() == 0);
  }
}

TEST_CASE("sums of the greatest and the least doubles", "[exact]") {
  constexpr double greatest = std::numeric_limits<double>::max(),
                   least = std::numeric_limits<double>::denorm_min();
  for (const std::vector<double>& terms :
       {std::vector{greatest, greatest, greatest, greatest},
        std::vector{-greatest, -greatest, -greatest, least}, std::vector{least, least, -least, least},
        std::vector{0x1p63, -0x1p-1, 0x1p64, -0x1p127}, std::vector{greatest, -greatest, least, -least}}) {
    CAPTURE(terms);
    const oracle::Dyadic expected = oracle::Dyadic::sum(terms);
    CHECK(exact::Integer::sum(terms).sign() == expected.sign());
    CHECK(less_parts(exact::Integer::sum(terms), expected).sign() == 0);
  }
}
