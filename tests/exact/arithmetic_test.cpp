/// \file Products of two doubles as sums hi + lo.

#include <bit>
#include <exact/numbers/dispatch.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/oracle/dyadic.hpp>
#include <tests/seed.hpp>
#include <tests/skipped.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

struct Factors {
  double x, y;
};

/// A number of any size below 2^996, some of them with few digits; sometimes a zero.
double any_factor(int exponent, Random& random) {
  const double sign = random.one_in(2) ? 1 : -1;
  if (random.one_in(16)) return 0 * sign;
  const double mantissa = random.one_in(2) ? 1 + random.unit() : 1 + random.below(256) / 256.0;
  return sign * std::ldexp(mantissa, exponent);
}

/// Half of the products are near or below the least doubles.
Factors any_factors(Random& random) {
  const int first = random.whole(-1074, 995), product = random.one_in(2) ? random.whole(-1080, -960) : 0,
            second = product == 0 ? random.whole(-1074, 995) : std::clamp(product - first, -1074, 995);
  const Factors f{any_factor(first, random), any_factor(second, random)};
  return std::fabs(f.x * f.y) < HUGE_VAL ? f : any_factors(random);
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

TEST_CASE("products have the same bits with and without FMA, however small", "[exact]") {
  if (!exact::has_fma()) return skipped("products by FMA");
  Random random(seed(), 300);
  for (int i = 0; i < fewer_in_repeats(4'000'000); ++i) {
    const Factors f = any_factors(random);
    exact::TwoDouble fused{};
    exact::run_fused([&](auto a) SPHAERA_INLINE_LAMBDA { fused = a.two_product(f.x, f.y); });
    const exact::TwoDouble plain = exact::Plain::two_product(f.x, f.y);
    if (same_bits(plain.hi, fused.hi) && same_bits(plain.lo, fused.lo)) continue;
    INFO(std::hexfloat << f.x << " * " << f.y << ": " << plain.lo << ", by FMA " << fused.lo << ", seed "
                       << seed());
    REQUIRE(false);
  }
}

TEST_CASE("a product's residual is exact from 2^-969, below that rounded to the nearest double", "[exact]") {
  using oracle::Dyadic;
  Random random(seed(), 301);
  const Dyadic half_ulp = Dyadic(0x1p-1074) * Dyadic(0.5);
  for (int i = 0; i < fewer_in_repeats(200'000); ++i) {
    const Factors f = any_factors(random);
    const exact::TwoDouble product = exact::Plain::two_product(f.x, f.y);
    const Dyadic off = Dyadic(f.x) * Dyadic(f.y) - Dyadic(product.hi) - Dyadic(product.lo);
    const bool exactly = std::fabs(product.hi) >= 0x1p-969,
               good = exactly ? off.sign() == 0 : compare(off, half_ulp) <= 0 && compare(-off, half_ulp) <= 0;
    if (good && same_bits(product.hi, f.x * f.y)) continue;
    INFO(std::hexfloat << f.x << " * " << f.y << ": " << product.lo << ", seed " << seed());
    REQUIRE(false);
  }
}
