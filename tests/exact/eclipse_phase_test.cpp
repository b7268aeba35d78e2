/// \file Decisions about a star and one body against exact integers: discs that touch from outside and from
/// inside exactly or by an ulp, of radii from 1e-9 to 1 rad, and bodies on the star's radical plane.

#include <cmath>
#include <exact/predicates/eclipse_phase.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/oracle/radicals.hpp>
#include <tests/oracle/starlight.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using exact::Overlap;

namespace {

struct Pair {
  Star star;
  Sphere body;
  Vec3 observer;
};

/// Both touch one line through the observer, (3, 4)/5 with normal (−4, 3)/5: all numbers are small integers
/// times powers of two, so the contact is exact.
Pair touching_pair(Random& random) {
  const auto ball = [&](int side, double along, double radius) {
    const double a = 5 * std::floor(along), b = side * std::floor(radius);
    return Sphere{{3 * a / 5 - 4 * b, 4 * a / 5 + 3 * b, 0}, 5 * std::fabs(b)};
  };
  const double along = random.log_uniform(1e4, 1e8), size = along * random.log_uniform(1e-9, 1) / 5;
  const double near = along * random.log_uniform(1e-3, 0.3);
  const Sphere s = ball(1, along, std::max(size, 1.0));
  const Sphere body =
      ball(random.one_in(2) ? 1 : -1, near, std::max(near * random.log_uniform(1e-9, 1) / 5, 1.0));
  Pair p{Star::at(s.center, s.radius), body, {}};
  const Vec3 shift{std::floor(random.between(-1e6, 1e6)), std::floor(random.between(-1e6, 1e6)),
                   std::floor(random.between(-1e6, 1e6))};
  const double scale = std::ldexp(1, random.whole(-40, 40));
  p.star.center = scale * (p.star.center + shift), p.star.radius *= scale;
  p.body.center = scale * (p.body.center + shift), p.body.radius *= scale, p.observer = scale * shift;
  return p;
}

Pair random_pair(Random& random) {
  const double distance = random.log_uniform(1, 1e9), near = distance * random.log_uniform(1e-6, 0.5);
  const Vec3 direction = random.direction(), observer = random.in_cube(random.log_uniform(1e-3, 1e3));
  const double a = random.log_uniform(1e-9, 1), b = std::min(1.5, a * random.log_uniform(0.1, 1e3));
  const Vec3 aside = (random.between(0, 1.2) * (a + b)) * random.direction();
  return {Star::at(observer + distance * direction, distance * std::sin(a)),
          {observer + near * (direction + aside), near * std::sin(b)},
          observer};
}

/// Discs that touch from outside or inside but for a hair; the observer may be next to the body's surface.
Pair nearly_touching_pair(Random& random) {
  const double distance = random.log_uniform(1, 1e9), near = distance * random.log_uniform(1e-6, 0.5);
  const double a = random.log_uniform(1e-9, 1);
  const double b = random.one_in(2) ? std::acos(random.log_uniform(1e-7, 1)) : a * random.between(0.1, 1.5);
  const double edge = random.one_in(2) ? a + b : std::fabs(a - b);
  const double apart = edge * (1 + random.signed_log_uniform(1e-17, 1e-9));
  return {Star::at({distance, 0, 0}, distance * std::sin(a)),
          {{near * std::cos(apart), near * std::sin(apart), 0}, near * std::sin(b)},
          {}};
}

void nudge(Random& random, Pair& p) {
  for (double* x : {&p.star.center.x, &p.star.radius, &p.body.center.y, &p.body.radius, &p.observer.z}) {
    if (random.one_in(3)) *x = step(*x, random.whole(-2, 2));
  }
}

bool usable(const Pair& p) {
  const oracle::Sight star = oracle::sight(Segment{p.observer, p.observer}, {p.star.center, p.star.radius});
  const oracle::Sight body = oracle::sight(Segment{p.observer, p.observer}, p.body);
  return p.star.radius > 0 && p.body.radius > 0 && oracle::sign_power(star, 0) > 0 &&
         oracle::sign_power(body, 0) > 0;
}

Overlap expected(oracle::Discs discs) {
  switch (discs) {
    case oracle::Discs::apart:
      return Overlap::none;
    case oracle::Discs::crossing:
      return Overlap::partial;
    case oracle::Discs::body_in_star:
      return Overlap::annular;
    case oracle::Discs::star_in_body:
      return Overlap::total;
  }
  return Overlap::none;
}

}  // namespace

TEST_CASE("a star and a body: overlap and order against exact integers", "[exact]") {
  const int cases = fewer_in_repeats(60000);
  exact::Counts counts;
  int seen[4] = {};
  for (int i = 0; i < cases; ++i) {
    Random random(seed(), i);
    const int kind = random.below(3);
    Pair p = kind == 0   ? touching_pair(random)
             : kind == 1 ? nearly_touching_pair(random)
                         : random_pair(random);
    if (random.one_in(2)) nudge(random, p);
    if (!usable(p)) continue;
    const exact::SeenBall star = exact::seen_ball(p.observer, {p.star.center, p.star.radius});
    const exact::SeenBall body = exact::seen_ball(p.observer, p.body);
    const Overlap overlap = exact::overlap(star, body, counts);
    const Overlap truth = expected(oracle::discs(p.star, p.observer, p.body));
    const bool front = exact::in_front(body, star, counts);
    ++seen[static_cast<int>(truth)];
    if (overlap != truth || front != oracle::in_front(p.star, p.observer, p.body)) {
      FAIL_CHECK("case " << i << ": overlap " << int(overlap) << ", expected " << int(truth));
    }
  }
  for (const int n : seen) CHECK(n > cases / 50);
  const auto enough = static_cast<std::uint64_t>(cases) / 60;
  CHECK(counts.double_double > enough);
  CHECK(counts.exact > enough);  // the exact contacts
}

TEST_CASE("a star and the ground: overlap against exact integers", "[exact]") {
  exact::Counts counts;
  int seen[4] = {};
  for (int i = 0; i < 40000; ++i) {
    Random random(seed(), i);
    // The star's center is `high` above the plane through the observer. If nothing is rounded and place.y is
    // not nudged below, this is exact.
    const double radius = 5 * std::floor(random.log_uniform(1, 1e6));
    const double high = random.one_in(2) ? radius * random.whole(-1, 1) : radius * random.between(-2, 2);
    const double far = std::floor(random.log_uniform(2e6, 1e12)),
                 depth = std::floor(random.log_uniform(1, 1e9));
    const Vec3 up{3, 4, 0}, along{-4, 3, 0}, shift{random.whole(-1000, 1000) * 1.0, 0, 0};
    Vec3 place = high / 5 * up + far * along + shift;
    if (random.one_in(3)) place.y = step(place.y, random.whole(-2, 2));
    const exact::SeenBall star = exact::seen_ball(shift, {place, radius});
    const exact::SeenBall ground = exact::seen_ball(shift, {shift - depth * up, 1});
    const auto l = oracle::sight(Segment{shift, shift}, {place, radius}).l;
    const auto n = oracle::sight(Segment{shift, shift}, {shift - depth * up, 1}).l;
    const oracle::Dyadic height = l[0] * n[0] + l[1] * n[1] + l[2] * n[2];  // both are negated
    const oracle::Dyadic size =
        oracle::Dyadic(radius) * oracle::Dyadic(radius) * (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const Overlap truth = oracle::sign_of_radicals(-height, 0, size) >= 0  ? Overlap::none
                          : oracle::sign_of_radicals(height, 0, size) >= 0 ? Overlap::total
                                                                           : Overlap::partial;
    ++seen[static_cast<int>(truth)];
    if (exact::overlap_half_sky(star, ground, counts) != truth ||
        exact::sign_below(star, ground, counts) != height.sign()) {
      FAIL_CHECK("case " << i << ", expected " << int(truth));
    }
  }
  CHECK((seen[0] > 1000 && seen[1] > 1000 && seen[3] > 1000));
  CHECK(counts.exact > 100);
}
