/// \file Bullets under gravity whose chords are planned in lanes and walk the index together: the same bits
/// as one at a time.

#include <cmath>
#include <query/flight/chord_block.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/instruction_set.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

exact::Flight flight_from(const Bullet& b) {
  return {exact::prepared({b.origin, b.velocity, {}, 0, b.duration, 0, 0}), b.radius, b.start};
}

/// From a millimeter to beyond what chords support, at rest along some axes.
Bullet any_bullet(Random& random) {
  const auto perhaps = [&](double x) { return random.one_in(6) ? 0 : x; };
  const double size = random.log_uniform(1e-3, 1e9), speed = random.log_uniform(1e-80, 1e9);
  const Vec3 place = size * random.in_cube(1), velocity = speed * random.in_cube(1);
  return {{perhaps(place.x), perhaps(place.y), perhaps(place.z)},
          {perhaps(velocity.x), perhaps(velocity.y), perhaps(velocity.z)},
          random.one_in(2) ? 0 : random.log_uniform(1e-3, 1e3),
          0,
          random.one_in(2) ? infinity : random.log_uniform(1e-6, 1e70)};
}

void check_path(const query::ChordPath& a, const query::ChordPath& b) {
  REQUIRE(a.t_from == b.t_from);
  REQUIRE(a.t_to == b.t_to);
  REQUIRE(a.margin == b.margin);
  REQUIRE(a.path.origin == b.path.origin);
  REQUIRE(a.path.direction == b.path.direction);
  REQUIRE(a.path.t_max == b.path.t_max);
  REQUIRE(a.path.floor == b.path.floor);
}

void check_lanes(std::uint64_t stream) {
  Random random(seed(), stream);
  std::size_t many = 0, none = 0;
  for (int round = 0; round < fewer_if_sanitized(2000); ++round) {
    const Vec3 gravity = random.one_in(2) ? Vec3{0, 0, -random.log_uniform(1e-180, 1e3)}
                                          : random.log_uniform(1e-3, 1e3) * random.in_cube(1);
    const double size = random.log_uniform(1e-3, 1e6);
    const query::ChordPlan plan(random.log_uniform(1e-3, 1e6) * random.in_cube(1), {size, size, 0.1 * size},
                                size * random.log_uniform(1e-3, 1), gravity);
    query::ChordLanes<exact::Flight> flights;
    for (exact::Flight& flight : flights) flight = flight_from(any_bullet(random));
    query::ChordLanes<ballistics::Chords> chords;
    query::plan_eight(plan, flights, chords);
    query::ChordLanes<const ballistics::Chords*> ways;
    query::ChordLanes<std::int32_t> number;
    query::ChordLanes<query::ChordPath> paths;
    query::ChordLanes<query::ChordPath*> to;
    for (std::size_t k = 0; k < flights.size(); ++k) {
      const exact::Path& path = flights[k].path;
      const ballistics::Chords alone =
          plan.chords(path.origin, path.direction, path.t_max, flights[k].radius);
      INFO("round " << round << ", flight " << k << ", seed " << seed());
      REQUIRE(chords[k].size() == alone.size());
      REQUIRE((chords[k].until() == alone.until() || std::isnan(alone.until())));
      many += alone.size() > 1, none += alone.size() == 0;
      number[k] = alone.size() > 0 ? random.below(alone.size()) : 0;
      if (alone.size() == 0) chords[k] = chords[0];  // the group leaves such bullets out
      ways[k] = &chords[k], to[k] = &paths[k];
    }
    if (chords[0].size() == 0) continue;
    for (std::size_t k = 0; k < flights.size(); ++k) number[k] = std::min(number[k], chords[k].size() - 1);
    query::set_eight(ways, number, to);
    for (std::size_t k = 0; k < flights.size(); ++k)
      check_path(paths[k], query::ChordPath::of(chords[k][number[k]]));
  }
  CHECK(many > fewer_if_sanitized(500u));
  CHECK(none > fewer_if_sanitized(50u));
}

/// A bullet that comes near a random sphere of the scene, mostly in a clear curve.
Bullet lobbed_at(const MovingScene& scene, const Vec3& gravity, Random& random) {
  const auto i = static_cast<std::size_t>(random.below(static_cast<int>(scene.spheres.size())));
  const Sphere& s = scene.spheres[i];
  const double t = random.log_uniform(0.05, 1), start = scene.velocities.empty() ? 0 : random.between(0, 0.5),
               radius = random.one_in(2) ? 0 : s.radius * random.unit();
  const Vec3 aim = scene.center(i, start + t) + (1.2 * (s.radius + radius)) * random.in_cube(1),
             origin = (random.one_in(8) ? 0.1 : 4.0) * random.in_cube(1) + s.center;
  const Vec3 velocity = (1 / t) * (aim - origin) - (0.5 * t) * gravity;
  return {origin, velocity, radius, start, random.one_in(2) ? infinity : random.between(0, 2)};
}

}  // namespace

TEST_CASE("chords planned in lanes are those planned one by one", "[query]") {
  check_lanes(1);
  const Baseline baseline;
  check_lanes(2);
}

TEST_CASE("bullets of a batch that fall hit what they hit alone", "[query]") {
  std::size_t hits = 0, skipped = 0;
  for (int round = 0; round < fewer_if_sanitized(40); ++round) {
    Random random(seed(), static_cast<std::uint64_t>(900 + round));
    MovingScene world;
    for (int i = 0; i < 40; ++i) {
      world.spheres.push_back({random.in_cube(1), random.log_uniform(0.01, 0.3)});
      if (round % 2) world.velocities.push_back(0.2 * random.in_cube(1));
    }
    world.horizon = Horizon{0, 4};
    const Vec3 gravity = round % 3 ? Vec3{0, 0, -random.log_uniform(1e-6, 1e3)}
                                   : random.log_uniform(0.01, 10) * random.in_cube(1);
    std::vector<Bullet> bullets;
    std::vector<std::int64_t> ignore;
    for (int i = 0; i < 400; ++i) {
      bullets.push_back(lobbed_at(world, gravity, random));
      if (random.one_in(50)) bullets.back().origin = 1e6 * random.in_cube(1);
      if (random.one_in(50)) bullets.back().start = round % 2 ? 4.0 : 9.0;  // the horizon ends at 4
      if (random.one_in(50)) bullets.back().velocity = {};
      ignore.push_back(random.one_in(3) ? random.below(40) : -1);
    }
    std::vector<RowStatus> statuses(bullets.size());
    QueryOptions options{.ignore = ignore};
    if (round % 4 == 0) {
      for (Bullet& bullet : bullets)
        if (random.one_in(20)) bullet.velocity.x = NAN;
      options.statuses = statuses;
    }
    const Scene scene = world.build();
    FlightOptions flight{.pierces = random.one_in(3) ? 1u : 0u, .gravity = gravity};
    flight.start_inside = static_cast<StartInside>(random.below(3));
    flight.friction = random.one_in(4) ? random.unit() : 0;
    const std::vector<Impact> found = scene.first_impact(bullets, flight, options);
    QueryOptions plain = options;
    plain.search = Search::brute_force;
    REQUIRE(all_same(found, scene.first_impact(bullets, flight, plain)));
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      INFO("round " << round << ", bullet " << i << ", seed " << seed());
      const bool left_out = !options.statuses.empty() && statuses[i] == RowStatus::skipped;
      skipped += left_out;
      hits += found[i].sphere >= 0;
      const QueryOptions single{.ignore = {&ignore[i], 1}};
      REQUIRE(same(found[i], left_out ? Impact{} : scene.first_impact(bullets[i], flight, single)));
    }
    QueryStats one, two;
    options.stats = &one, options.threads = 1;
    (void)scene.first_impact(bullets, flight, options);
    options.stats = &two, options.threads = 2;
    (void)scene.first_impact(bullets, flight, options);
    REQUIRE(one.candidates == two.candidates);
    REQUIRE(one.exact == two.exact);
  }
  CHECK(hits > fewer_if_sanitized(3000u));
  CHECK(skipped > 10);
}
