/// \file Fraction and flux against an integral over the star's disc, for one to ten bodies.

#include <cmath>
#include <cstdio>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/skies.hpp>
#include <tests/oracle/starlight.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

TEST_CASE("starlight: fraction and flux against the oracle", "[starlight]") {
  const int skies = fewer_unless_all(1000);
  constexpr double tolerance = 1e-12;  // the stated error
  double worst_fraction = 0, worst_flux = 0;
  for (int i = 0; i < skies; ++i) {
    Random random(seed(), i);
    StarSky sky = random_sky(random, random.whole(1, 10));
    sky.star.limb_darkening = random_law(random);
    const Visibility v = starlight(sky.star, sky.observer, sky.bodies);
    const oracle::Seen seen = oracle::starlight(sky.star, sky.observer.position, sky.bodies);
    INFO("sky " << i << ", bodies " << sky.bodies.size() << ", law " << int(sky.star.limb_darkening.law));
    REQUIRE(v.status == StarStatus::ok);
    const double fraction_error = std::fabs(static_cast<double>(v.fraction - seen.fraction));
    const double flux_error = std::fabs(static_cast<double>(v.flux - seen.flux));
    CHECK(fraction_error <= tolerance);
    CHECK(flux_error <= tolerance);
    worst_fraction = std::max(worst_fraction, fraction_error);
    worst_flux = std::max(worst_flux, flux_error);
  }
  std::printf("starlight: %d skies of 1 to 10 bodies, worst error of the fraction %.1e, of the flux %.1e\n",
              skies, worst_fraction, worst_flux);
}
