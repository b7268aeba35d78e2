/// \file Powers in vector loops against those good to half an ulp: random arguments, ends, and the same bits
/// with and without FMA.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exact/numbers/elementary.hpp>
#include <limits>
#include <random>
#include <star_light/limb/quick_power.hpp>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/seed.hpp>

namespace sphaera::star_light {
namespace {

using Block = std::array<double, 128>;

SPHAERA_INLINE void fill(Block& out, const Block& x, double y) {
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = quick_power(x[i], y);
}
void fill_plainly(Block& out, const Block& x, double y) { fill(out, x, y); }
SPHAERA_TARGET_FMA void fill_wide(Block& out, const Block& x, double y) { fill(out, x, y); }

}  // namespace

TEST_CASE("a quick power is good to 2^-50, the same bits in vector lanes with FMA",
          "[starlight][elementary]") {
  std::mt19937_64 random(test::seed());
  std::uniform_real_distribution<> share(0, 1);
  double worst = 0;
  Block x, power, wide;
  for (int i = 0; i < test::fewer_in_repeats(5'000); ++i) {
    const double y = 1 + 7 * share(random);
    for (std::size_t j = 0; j < x.size(); j += 4) {
      x[j] = share(random), x[j + 1] = 1 - std::ldexp(share(random), -static_cast<int>(random() % 53));
      x[j + 2] = std::ldexp(share(random), -static_cast<int>(random() % 64));
      x[j + 3] = std::exp2(-share(random) * 4 / y);  // powers of 1/16 … 1
    }
    fill_plainly(power, x, y);
    if (exact::has_fma()) fill_wide(wide, x, y);
    REQUIRE((!exact::has_fma() || power == wide));
    for (std::size_t j = 0; j < x.size(); ++j)
      worst = std::max(worst, std::fabs(power[j] - exact::power(x[j], y)));
  }
  std::printf("quick_power: off by 2^%.2f at most\n", std::log2(worst));
  CHECK(worst < 0x1p-50);
}

TEST_CASE("a quick power of 1 is 1, of next to nothing next to nothing", "[starlight][elementary]") {
  for (const double y : {1.0, 1.365, 5.0, 8.0}) {
    CHECK(quick_power(1, y) == 1);
    for (const double x : {0.0, std::numeric_limits<double>::denorm_min(), 0x1p-1023, 0x1p-1022}) {
      const double power = quick_power(x, y);
      CHECK((power >= 0 && power <= 0x1p-1000));
    }
  }
}

}  // namespace sphaera::star_light
