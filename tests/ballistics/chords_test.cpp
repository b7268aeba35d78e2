/// \file Chords and last times of flights, against exact arithmetic.

#include <ballistics/chords.hpp>
#include <tests/catch.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/oracle/dyadic.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using oracle::Dyadic;

namespace {

struct Case {
  ballistics::Parabola flight;
  double scale, time;
};

Case make_case(Random& random) {
  const double scale = random.log_uniform(1e-3, 1e13), speed = random.log_uniform(1e-3, 1e6),
               time = scale / speed;
  const double g = random.one_in(8) ? 0 : random.log_uniform(1e-4, 1e3) * speed / time;
  const Vec3 far =
      random.one_in(2) ? random.log_uniform(1, 1e9) * random.in_cube(scale) : random.in_cube(scale);
  Vec3 down = g * random.direction(), velocity = speed * random.direction();
  if (random.one_in(4)) down = {0, 0, -g};
  if (random.one_in(8)) velocity.x = 0, down.x = 0;
  return {{far, velocity, down}, scale, time};
}

std::array<Dyadic, 3> place(const ballistics::Parabola& f, double t) {
  const Dyadic time = t, half_square = Dyadic(0.5) * time * time;
  std::array<Dyadic, 3> p;
  for (int i = 0; i < 3; ++i)
    p[i] = Dyadic(f.origin[i]) + time * Dyadic(f.velocity[i]) + half_square * Dyadic(f.gravity[i]);
  return p;
}

/// Is the flight at t within the margin of the chord's point at the same share of the chord's time?
bool is_near(const ballistics::Parabola& f, const ballistics::Chord& c, double t) {
  const auto p = place(f, t);
  const Dyadic whole = Dyadic(c.t_to) - Dyadic(c.t_from), share = Dyadic(t) - Dyadic(c.t_from);
  Dyadic square = 0.0;
  for (int i = 0; i < 3; ++i) {
    const Dyadic from = c.segment.from[i], to = c.segment.to[i];
    const Dyadic off = whole * (p[i] - from) - share * (to - from);
    square = square + off * off;
  }
  const Dyadic most = whole * Dyadic(c.margin);
  return oracle::compare(square, most * most) <= 0;
}

bool is_in(const ballistics::Parabola& f, const Vec3& lower, const Vec3& upper, double t) {
  const auto p = place(f, t);
  for (int i = 0; i < 3; ++i) {
    if (oracle::compare(p[i], Dyadic(lower[i])) < 0 || oracle::compare(p[i], Dyadic(upper[i])) > 0)
      return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a flight keeps within the margin of its chords", "[ballistics]") {
  Random random(seed(), 830);
  for (int i = 0; i < 2'000; ++i) {
    const Case c = make_case(random);
    const double from = random.one_in(2) ? 0 : c.time * random.unit(),
                 until = from + c.time * random.log_uniform(1e-3, 10);
    const double margin = c.scale * random.log_uniform(1e-6, 1);
    const ballistics::Chords chords(c.flight, from, until, margin);
    REQUIRE(chords[0].t_from == from);
    REQUIRE(chords[chords.size() - 1].t_to == until);
    for (int k = 0; k < 4; ++k) {
      const std::int32_t at = random.below(static_cast<int>(chords.size()));
      const ballistics::Chord chord = chords[at];
      if (at > 0) REQUIRE(chords[at - 1].t_to == chord.t_from);
      for (const double share : {0.0, 0.5, 1.0, random.unit()}) {
        const double t = std::min(chord.t_from + share * (chord.t_to - chord.t_from), chord.t_to);
        REQUIRE(is_near(c.flight, chord, t));
      }
      const double size = std::sqrt(dot(c.flight.origin, c.flight.origin)) + c.scale * 1e4;
      if (chords.size() < ballistics::Chords::max_chords)
        CHECK(chord.margin <= margin * (1 + 1e-9) + 1e-14 * size + 1e-12 * margin);
    }
  }
}

TEST_CASE("after its last time a flight is out of the box, and not much before", "[ballistics]") {
  Random random(seed(), 831);
  int met = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Case c = make_case(random);
    const double t = c.time * random.log_uniform(1e-2, 10);
    const Vec3 corner = c.flight.at(t), size = c.scale * random.in_cube(1);
    const Vec3 lower{std::min(corner.x, corner.x + size.x), std::min(corner.y, corner.y + size.y),
                     std::min(corner.z, corner.z + size.z)},
        upper{std::max(corner.x, corner.x + size.x), std::max(corner.y, corner.y + size.y),
              std::max(corner.z, corner.z + size.z)};
    const double last = ballistics::last_time_near(c.flight, lower, upper);
    REQUIRE(last < infinity);
    if (is_in(c.flight, lower, upper, t)) {
      REQUIRE(t <= last);
      ++met;
    }
    if (is_in(c.flight, lower, upper, step(t, 1))) REQUIRE(step(t, 1) <= last);
    for (int k = 0; k < 8; ++k) {
      const double later =
          last * (1 + random.log_uniform(1e-15, 10)) + c.time * random.log_uniform(1e-18, 1e-3);
      REQUIRE_FALSE(is_in(c.flight, lower, upper, later));
    }
  }
  CHECK(met > 1'000);
  const ballistics::Parabola at_rest{{1, 2, 3}, {}, {}};
  CHECK(ballistics::last_time_near(at_rest, {0, 0, 0}, {1, 2, 3}) == infinity);
  CHECK(ballistics::last_time_near(at_rest, {0, 0, 0}, {1, 2, 2}) == 0);
  const ballistics::Parabola thrown{{0, 0, 0}, {0, 0, 4}, {0, 0, -2}};
  CHECK(ballistics::last_time_near(thrown, {-1, -1, 0}, {1, 1, 9}) >= 4);
  CHECK(ballistics::last_time_near(thrown, {-1, -1, 0}, {1, 1, 9}) == Approx(4));
  CHECK(ballistics::last_time_near(thrown, {-1, -1, 3}, {1, 1, 9}) == Approx(3));
  CHECK(ballistics::last_time_near(thrown, {1, -1, 0}, {2, 1, 9}) == 0);
}
