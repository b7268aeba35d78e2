/// \file The gap between two balls: its comparison with a distance, against exact integers, and its value.

#include <cmath>
#include <exact/predicates/compare_gap.hpp>
#include <exact/roots/distance.hpp>
#include <limits>
#include <tests/cases/cases.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

const int gaps_of_a_family = fewer_in_repeats(5'000);

Ball as_ball(const Sphere& sphere) { return {sphere.center, sphere.radius}; }

/// A distance near the gap, or one that is nothing, huge, or cancels the radii.
double any_distance(const Ball& a, const Ball& b, Random& random) {
  const double gap = exact::gap(a, b);
  switch (random.below(8)) {
    case 0:
      return 0;
    case 1:
      return random.signed_log_uniform(1e-300, 1e60);
    case 2:
      return -(a.radius + b.radius);
    case 3:
      return gap * (1 + random.signed_log_uniform(1e-17, 1));
    case 4:
      return random.one_in(2) ? 0x1p200 : -0x1p200;
    case 5:
      return random.signed_log_uniform(5e-324, 1e-300);
    default:
      return step(gap, random.whole(-2, 2));
  }
}

}  // namespace

TEST_CASE("gaps compare with distances as exact numbers do", "[exact]") {
  exact::Counts counts;
  int wrong = 0, equal = 0;
  for (int f = 0; f < family_count; ++f) {
    Random random(seed(), 390 + static_cast<std::uint64_t>(f));
    for (int i = 0; i < gaps_of_a_family; ++i) {
      const Case c = make_case(static_cast<Family>(f), random);
      const Ball a = as_ball(c.a), b = as_ball(c.b);
      const double distance = any_distance(a, b, random);
      if (!(std::fabs(distance) <= 0x1p200)) continue;
      const int sign = oracle::compare_gap(a, b, distance);
      wrong += exact::compare_gap(a, b, distance, counts) != sign;
      wrong += exact::compare_gap(b, a, distance, counts) != sign;
      wrong += exact::compare_gap(a, b, 0, counts) != oracle::sign_gap(a, b);
      equal += sign == 0;
    }
  }
  CHECK(wrong == 0);
  CHECK(equal > 0);
  CHECK(counts.double_double > 0);
  CHECK(counts.exact > 0);
}

TEST_CASE("a gap is good to the last bit but one", "[exact]") {
  int wrong = 0;
  double worst = 0;
  for (int f = 0; f < family_count; ++f) {
    Random random(seed(), 420 + static_cast<std::uint64_t>(f));
    for (int i = 0; i < gaps_of_a_family; ++i) {
      const Case c = make_case(static_cast<Family>(f), random);
      const oracle::Real reference = oracle::gap(as_ball(c.a), as_ball(c.b));
      const double error = oracle::error_in_half_ulps(exact::gap(as_ball(c.a), as_ball(c.b)), reference);
      wrong += !(error <= oracle::promised_half_ulps_of_root(reference));
      if (abs(reference) >= 0x1p-1022) worst = std::max(worst, error);
    }
  }
  INFO("worst error in half ulps " << worst);
  CHECK(wrong == 0);
}

TEST_CASE("gaps at the ends of the range", "[exact]") {
  exact::Counts counts;
  const Ball a{{0, 0, 0}, 1}, b{{3, 4, 0}, 1};
  CHECK(exact::compare_gap(a, b, 3, counts) == 0);
  CHECK(exact::compare_gap(a, b, std::nextafter(3, 4), counts) == -1);
  CHECK(exact::compare_gap(a, b, -0x1p200, counts) == 1);
  CHECK(exact::compare_gap(a, a, -2, counts) == 0);  // one center: the gap is -2
  CHECK(exact::compare_gap(a, a, std::nextafter(-2, -3), counts) == 1);
  CHECK(exact::compare_gap(a, a, std::nextafter(-2, 0), counts) == -1);
  CHECK(exact::gap(a, b) == 3);
  CHECK(exact::gap(a, a) == -2);
}
