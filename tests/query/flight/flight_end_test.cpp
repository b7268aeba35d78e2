/// \file The state of a bullet at the end of its flight, against exact arithmetic, and frames that are
/// chained by it against whole flights.

#include <algorithm>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/oracle/dyadic.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>
#include <tests/unit_roundoff.hpp>

using namespace sphaera;
using namespace sphaera::test;
using oracle::Dyadic;

namespace {

Dyadic absolute(const Dyadic& x) { return x.sign() < 0 ? -x : x; }
Dyadic least(const Dyadic& x, const Dyadic& y) { return compare(x, y) < 0 ? x : y; }
bool is_within(double x, const Dyadic& exact, const Dyadic& bound) {
  return compare(absolute(Dyadic(x) - exact), bound) <= 0;
}

struct Leg {
  Vec3 center, velocity;
  double start;
};

/// The last leg of a flight: from the last ricochet, or from the muzzle.
Leg last_leg(const Bullet& bullet, std::span<const Impact> impacts) {
  Leg leg{bullet.origin, bullet.velocity, bullet.start};
  for (const Impact& impact : impacts)
    if (impact.outcome == Outcome::ricochets) leg = {impact.center, impact.velocity, impact.time};
  return leg;
}

/// The errors stated at FlightEnd, on one axis.
bool is_place(double center, double velocity, double from, double v, double g, const Dyadic& t) {
  const Dyadic way = Dyadic(v) * t, fall = Dyadic(g) * t * t;
  const Dyadic exact = Dyadic(from) + way + Dyadic(0.5) * fall, exact_velocity = Dyadic(v) + Dyadic(g) * t;
  const Dyadic small = Dyadic(0x1p-90) * (absolute(way) + absolute(fall));
  return is_within(center, exact, Dyadic(u) * absolute(exact) + small + Dyadic(0x1p-1000)) &&
         is_within(velocity, exact_velocity,
                   Dyadic(u) * absolute(exact_velocity) + Dyadic(0x1p-90) * absolute(Dyadic(g) * t) +
                       Dyadic(0x1p-1000));
}

/// Is `end` the end of the bullet's flight, in which it had these impacts?
bool is_end(const MovingScene& world, const Bullet& bullet, const Vec3& g, std::span<const Impact> impacts,
            const FlightEnd& end) {
  if (!impacts.empty()) {
    const Impact& last = impacts.back();
    if (last.outcome == Outcome::refused)
      return end.outcome == Outcome::refused && end.time == bullet.start && end.center == bullet.origin &&
             end.velocity == bullet.velocity;
    if (last.outcome == Outcome::stops || last.outcome == Outcome::stuck)
      return end.outcome == last.outcome && end.time == last.time && end.center == last.center &&
             end.velocity == last.velocity;
  }
  const Leg leg = last_leg(bullet, impacts);
  const bool moving = !world.velocities.empty();
  if (end.outcome != Outcome::none) return false;
  if (bullet.duration == infinity && !moving)
    return end.time == infinity && std::isnan(end.center.x) && std::isnan(end.center.z) &&
           (g == Vec3{} ? end.velocity == leg.velocity : std::isnan(end.velocity.y));
  Dyadic last(world.horizon.to);
  if (bullet.duration != infinity) {
    const Dyadic by_duration = Dyadic(bullet.start) + Dyadic(bullet.duration);
    last = moving ? least(last, by_duration) : by_duration;
  }
  if (compare(last, Dyadic(bullet.start)) < 0) last = Dyadic(bullet.start);
  Dyadic t = last - Dyadic(leg.start);
  if (t.sign() < 0) t = Dyadic(0);
  return is_within(end.time, last, Dyadic(u) * absolute(last)) &&
         is_place(end.center.x, end.velocity.x, leg.center.x, leg.velocity.x, g.x, t) &&
         is_place(end.center.y, end.velocity.y, leg.center.y, leg.velocity.y, g.y, t) &&
         is_place(end.center.z, end.velocity.z, leg.center.z, leg.velocity.z, g.z, t);
}

/// Spheres of a grid that do not touch each other.
MovingScene grid_of(int side, Random& random) {
  MovingScene world;
  for (int i = 0; i < side * side * side; ++i)
    world.spheres.push_back(
        {4.0 * Vec3{double(i % side), double(i / side % side), double(i / side / side)} + random.in_cube(0.5),
         random.between(0.5, 1)});
  return world;
}

/// Some at rest, some that start after the horizon.
std::vector<Bullet> bullets_of_all_kinds(const MovingScene& world, const Vec3& gravity, Random& random) {
  std::vector<Bullet> bullets;
  for (int i = 0; i < 60; ++i) {
    bullets.push_back(random.one_in(2) ? lobbed_at(world, gravity, random)
                                       : bullet_at(world, random.bits() % 40, random));
    if (random.one_in(20)) bullets.back().velocity = {};
    if (random.one_in(20) && !world.velocities.empty()) bullets.back().start = 2.5;
  }
  return bullets;
}

}  // namespace

TEST_CASE("the end of a flight is that of exact arithmetic", "[query]") {
  int flown = 0, stopped = 0, endless = 0;
  for (int round = 0; round < fewer_in_repeats(60); ++round) {
    Random random(seed(), static_cast<std::uint64_t>(round));
    const MovingScene world = crowd_in_motion(40, random.one_in(2), random);
    const Scene scene = world.build();
    FlightOptions flight;
    if (random.one_in(2)) flight.gravity = 3 * random.in_cube(1);
    flight.bounces = static_cast<std::uint32_t>(random.below(4));
    flight.pierces = random.one_in(2) ? 0 : static_cast<std::uint32_t>(random.below(3));
    flight.start_inside = static_cast<StartInside>(random.below(3));
    const std::vector<Bullet> bullets = bullets_of_all_kinds(world, flight.gravity, random);
    std::vector<FlightEnd> ends(bullets.size()), again(bullets.size()), firsts(bullets.size());
    flight.ends = ends;
    const ImpactLists lists = scene.all_impacts(bullets, flight);
    flight.ends = again;
    (void)scene.all_impacts(bullets, flight, {.search = Search::brute_force, .threads = 1});
    flight.ends = firsts;
    const std::vector<Impact> first = scene.first_impact(bullets, flight);
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      INFO("seed " << seed() << ", round " << round << ", bullet " << i);
      REQUIRE(is_end(world, bullets[i], flight.gravity, lists[i], ends[i]));
      REQUIRE(same(ends[i], again[i]));
      FlightEnd single, single_span, single_first;
      flight.ends = {&single, 1};
      (void)scene.all_impacts(bullets[i], flight);
      flight.ends = {&single_span, 1};
      (void)scene.all_impacts(bullets[i], std::span<Impact>(), flight);
      flight.ends = {&single_first, 1};
      (void)scene.first_impact(bullets[i], flight);
      REQUIRE((same(single, ends[i]) && same(single_span, ends[i])));
      REQUIRE(same(single_first, firsts[i]));
      Impact stops = first[i];
      if (stops.outcome != Outcome::none && stops.outcome != Outcome::refused) stops.outcome = Outcome::stops;
      FlightEnd end = firsts[i];
      if (stops.sphere >= 0) {
        REQUIRE(end.outcome == first[i].outcome);
        end.outcome = stops.outcome;
      }
      REQUIRE(is_end(world, bullets[i], flight.gravity, {&stops, stops.sphere >= 0 ? 1U : 0U}, end));
      ++(ends[i].outcome != Outcome::none ? stopped : ends[i].time == infinity ? endless : flown);
    }
  }
  CAPTURE(flown, stopped, endless);
  CHECK(flown > fewer_in_repeats(100) / 2);
  CHECK(stopped > fewer_in_repeats(100) / 2);
  CHECK(endless > fewer_in_repeats(20) / 4);
}

TEST_CASE("frames that are chained by the ends of flights have the impacts of the whole flight", "[query]") {
  int compared = 0;
  for (int round = 0; round < fewer_in_repeats(20); ++round) {
    Random random(seed(), static_cast<std::uint64_t>(1000 + round));
    const Scene scene = grid_of(5, random).build();
    FlightOptions flight{.bounces = 3, .pierces = round % 2 ? 2U : 0U};
    flight.budget = 1000;
    if (random.one_in(2)) flight.gravity = {0, 0, -5};
    std::vector<Bullet> bullets(40);
    for (Bullet& b : bullets)
      b = {{-3, random.between(0, 16), random.between(0, 16)}, Vec3{12, 0, 0} + random.in_cube(6), 0.1};
    const auto fly = [&](std::vector<Bullet> now, double duration, int frames) {
      std::vector<std::vector<Impact>> impacts(now.size());
      std::vector<FlightEnd> ends(now.size());
      FlightOptions rules = flight;
      rules.ends = ends;
      for (Bullet& b : now) b.duration = duration;
      std::vector<bool> flies(now.size(), true);
      for (int frame = 0; frame < frames; ++frame) {
        const ImpactLists lists = scene.all_impacts(now, rules);
        for (std::size_t i = 0; i < now.size(); ++i) {
          if (flies[i]) impacts[i].insert(impacts[i].end(), lists[i].begin(), lists[i].end());
          flies[i] = flies[i] && ends[i].outcome == Outcome::none;
          now[i] = ends[i].next(now[i], duration);
        }
        rules.start_inside = StartInside::leaves;
      }
      return impacts;
    };
    const auto whole = fly(bullets, 1, 1), chained = fly(bullets, 0.0625, 16);
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      INFO("seed " << seed() << ", round " << round << ", bullet " << i);
      // Limits hold for each call; up to them the impacts are the same.
      const std::size_t most =
          std::min<std::size_t>(whole[i].size(), flight.pierces + (flight.pierces ? 0 : 3));
      REQUIRE(chained[i].size() >= most);
      for (std::size_t k = 0; k < most; ++k) {
        const Impact &a = whole[i][k], &b = chained[i][k];
        REQUIRE(a.sphere == b.sphere);
        REQUIRE(std::fabs(a.time - b.time) < 1e-9);
        REQUIRE(length(a.velocity - b.velocity) < 1e-8);
        ++compared;
      }
    }
  }
  CHECK(compared > fewer_in_repeats(100));
}

TEST_CASE("ends for another number of bullets are refused, and skipped bullets have none", "[query]") {
  const Scene scene = Scene::build({{{5, 0, 0}, 1}});
  std::vector<FlightEnd> ends(2);
  std::vector<Bullet> bullets(3, Bullet{.origin = {}, .velocity = {1, 0, 0}, .duration = 2});
  CHECK_THROWS_WITH(scene.all_impacts(bullets, {.ends = ends}),
                    "there are 2 ends for 3 bullets; give one for each");
  CHECK_THROWS_AS(scene.first_impact(bullets[0], {.ends = ends}), Error);
  ends.resize(3), bullets[1].radius = -1;
  std::vector<RowStatus> statuses(3);
  std::ranges::fill(ends, FlightEnd{1, {}, {}, Outcome::stops});
  (void)scene.all_impacts(bullets, {.ends = ends}, {.statuses = statuses});
  CHECK((ends[0].center == Vec3{2, 0, 0} && ends[0].time == 2));
  CHECK((std::isnan(ends[1].time) && ends[1].outcome == Outcome::none));
}
