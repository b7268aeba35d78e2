/// \file The oracle of open parts against known areas, against its own integral, and from another hub.

#include <boost/math/constants/constants.hpp>
#include <cstdio>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/cap_cases.hpp>
#include <tests/oracle/caps/open_part.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

const oracle::Long long_pi = boost::math::constants::pi<oracle::Long>();

double difference(const oracle::OpenPart& a, const oracle::OpenPart& b) {
  using oracle::operator+;
  const oracle::Direction apart = a.moment + oracle::scaled(-1, b.moment);
  return static_cast<double>(abs(a.area - b.area) + oracle::length(apart));
}

struct Worst {
  double integral = 0, hub = 0;
};

void compare(const oracle::Caps& caps, bool by_integral, Worst& worst) {
  const oracle::OpenPart part = oracle::open_part(caps);
  worst.hub = std::max(worst.hub, difference(part, oracle::open_part(caps, oracle::unit({-0.4, 0.2, -0.7}))));
  if (by_integral)
    worst.integral = std::max(worst.integral, difference(part, oracle::open_part_by_integral(caps)));
  CHECK(worst.hub < 1e-20);
  CHECK(worst.integral < 1e-14);
}

}  // namespace

TEST_CASE("oracle of open parts: cap, lune, octant, lens", "[caps]") {
  const auto expect = [](const oracle::Caps& caps, const oracle::Long& area, const oracle::Direction& m) {
    CHECK(difference(oracle::open_part(caps), {area, m}) < 1e-60);
  };
  oracle::Caps caps;
  expect(caps, 4 * long_pi, {});
  caps.add({0, 0, -3}, 0.5);
  expect(caps, 3 * long_pi, {0, 0, 3 * long_pi / 4});
  caps.list.clear(), caps.add({0, 0, -1}, 0);
  expect(caps, 2 * long_pi, {0, 0, long_pi});
  caps.add({0, -1, 0}, 0);
  expect(caps, long_pi, {0, long_pi / 2, long_pi / 2});
  caps.add({-2, 0, 0}, 0);
  expect(caps, long_pi / 2, {long_pi / 4, long_pi / 4, long_pi / 4});
  caps.add({1, 1, 0}, 0);
  expect(caps, 0, {});
}

TEST_CASE("oracle of open parts against its integral", "[caps]") {
  const int cases = fewer_unless_all(2000);
  Worst spheres, skies;
  for (int i = 0; i < cases; ++i) {
    Random random(seed(), i);
    const SphereCase s = random_sphere_case(random, random.whole(1, i % 8 ? 4 : 12));
    const SkyCase sky = random_sky_case(random, random.whole(1, i % 8 ? 4 : 12));
    INFO("case " << i << ": " << text(s) << "\n" << text(sky));
    compare(oracle::caps_on(s.sphere, s.probe, s.others), i % 8 == 0, spheres);
    compare(oracle::caps_of_sky(sky.point, sky.balls, i % 2 ? &sky.normal : nullptr), i % 8 == 0, skies);
  }
  std::printf(
      "oracle of open parts: worst difference from the integral %.1e and %.1e, from another hub %.1e and "
      "%.1e\n",
      spheres.integral, skies.integral, spheres.hub, skies.hub);
}
