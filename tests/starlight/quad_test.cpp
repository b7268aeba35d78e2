/// \file Formulas for four numbers at once: each lane has the bits of the formula for one number, with and
/// without AVX2.

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <star_light/circles/circle_pair.hpp>

#include <tests/catch.hpp>
#include <tests/seed.hpp>

namespace sphaera::star_light {
namespace {

using Four = std::array<double, DoubleLanes::lanes>;

struct HalfAngles {
  Four x, y, tangent, half_x, half_y, quarter;
};

SPHAERA_INLINE void compute(HalfAngles& h) {
  const CrossedCircle<DoubleLanes> circle{
      {}, DoubleLanes(h.x.data()), at_least(0.5, DoubleLanes(h.y.data()))};
  const Plane<DoubleLanes> v{DoubleLanes(h.x.data()), DoubleLanes(h.y.data())}, half = half_direction(v);
  quarter_tangent(v).store(h.tangent.data());
  half.x.store(h.half_x.data()), half.y.store(h.half_y.data());
  quarter_at(circle, v).store(h.quarter.data());
}
void compute_plainly(HalfAngles& h) { compute(h); }
SPHAERA_TARGET_FMA void compute_wide(HalfAngles& h) { compute(h); }

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

bool agrees(const HalfAngles& h, std::size_t lane) {
  const Vec2 v{h.x[lane], h.y[lane]}, half = half_direction(v);
  const CrossedCircle<double> circle{{}, v.x, at_least(0.5, v.y)};
  return same(h.tangent[lane], quarter_tangent(v)) && same(h.half_x[lane], half.x) &&
         same(h.half_y[lane], half.y) && same(h.quarter[lane], quarter_at(circle, v));
}

}  // namespace

TEST_CASE("each lane of a quad has the bits of one double", "[starlight]") {
  std::mt19937_64 random(test::seed());
  std::uniform_real_distribution<> size(-4, 4);
  const double ends[] = {0, -0.0, 1, -1, 0.5};
  for (int i = 0; i < 20'000; ++i) {
    HalfAngles plain{}, wide{};
    for (std::size_t lane = 0; lane < plain.x.size(); ++lane) {
      plain.x[lane] = random() % 8 == 0 ? ends[random() % 5] : size(random);
      plain.y[lane] = random() % 8 == 0 ? ends[random() % 5] : size(random);
    }
    wide.x = plain.x, wide.y = plain.y;
    compute_plainly(plain);
    exact::has_fma() ? compute_wide(wide) : compute_plainly(wide);
    for (std::size_t lane = 0; lane < plain.x.size(); ++lane) {
      INFO(plain.x[lane] << ", " << plain.y[lane]);
      REQUIRE((agrees(plain, lane) && agrees(wide, lane)));
    }
  }
}

}  // namespace sphaera::star_light
