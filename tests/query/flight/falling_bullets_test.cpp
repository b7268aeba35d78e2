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
  for (int round = 0; round < fewer_in_repeats(2000); ++round) {
    const Vec3 gravity = random.one_in(2) ? Vec3{0, 0, -random.log_uniform(1e-180, 1e3)}
                                          : random.log_uniform(1e-3, 1e3) * random.in_cube(1);
    const double size = random.log_uniform(1e-3, 1e6);
    const query::ChordPlan plan(random.log_uniform(1e-3, 1e6) * random.in_cube(1), {size, size, 0.1 * size},
                                size * random.log_uniform(1e-3, 1), gravity);
    query::ChordLanes<exact::Flight> flights;
    for (exact::Flight& flight : flights) flight = flight_from(any_bullet(random));
    query::ChordLanes<ballistics::Chords> chords;
    query::plan_eight(plan, flights, chords);
    query::ChordLanes<const ballistics::Chords*> chord_pointers;
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
      chord_pointers[k] = &chords[k], to[k] = &paths[k];
    }
    if (chords[0].size() == 0) continue;
    for (std::size_t k = 0; k < flights.size(); ++k) number[k] = std::min(number[k], chords[k].size() - 1);
    query::set_eight(chord_pointers, number, to);
    for (std::size_t k = 0; k < flights.size(); ++k)
      check_path(paths[k], query::ChordPath::of(chords[k][number[k]]));
  }
  CHECK(many > fewer_in_repeats(500u));
  CHECK(none > fewer_in_repeats(50u));
}

/// Bullets in a scene, some of them out of it, too late or at rest.
struct Lobbed {
  MovingScene world;
  Vec3 gravity;
  std::vector<Bullet> bullets;
  std::vector<std::int64_t> ignore;

  Lobbed(bool moving, bool down, Random& random) {
    for (int i = 0; i < 40; ++i) {
      world.spheres.push_back({random.in_cube(1), random.log_uniform(0.01, 0.3)});
      if (moving) world.velocities.push_back(0.2 * random.in_cube(1));
    }
    world.horizon = Horizon{0, 4};
    gravity =
        down ? Vec3{0, 0, -random.log_uniform(1e-6, 1e3)} : random.log_uniform(0.01, 10) * random.in_cube(1);
    for (int i = 0; i < 400; ++i) {
      Bullet bullet = lobbed_at(world, gravity, random);
      if (random.one_in(50)) bullet.origin = 1e6 * random.in_cube(1);
      if (random.one_in(50)) bullet.start = moving ? 4.0 : 9.0;  // the horizon ends at 4
      if (random.one_in(50)) bullet.velocity = {};
      bullets.push_back(bullet);
      ignore.push_back(random.one_in(3) ? random.below(40) : -1);
    }
  }
};

FlightOptions any_rules(bool bounces, const Vec3& gravity, Random& random) {
  FlightOptions rules{.bounces = bounces ? 3u : 0u,
                      .pierces = random.one_in(4) ? 1u : 0u,
                      .gravity = gravity,
                      .restitution = random.one_in(2) ? 1 : random.unit(),
                      .friction = random.one_in(4) ? random.unit() : 0};
  rules.start_inside = static_cast<StartInside>(random.below(3));
  return rules;
}

void check_counts(const Scene& scene, const Lobbed& lobbed, const FlightOptions& rules,
                  const QueryOptions& options) {
  QueryStats stats[2];
  for (int threads : {1, 2}) {
    QueryOptions counted = options;
    counted.threads = threads, counted.stats = &stats[threads - 1];
    (void)scene.first_impact(lobbed.bullets, rules, counted);
    (void)scene.all_impacts(lobbed.bullets, rules, counted);
  }
  REQUIRE(stats[0].candidates == stats[1].candidates);
  REQUIRE(stats[0].exact == stats[1].exact);
}

}  // namespace

TEST_CASE("chords planned in lanes are those planned one by one", "[query]") {
  check_lanes(1);
  const Baseline baseline;
  check_lanes(2);
}

TEST_CASE("bullets of a batch that fall hit what they hit alone", "[query]") {
  std::size_t hits = 0, bounced = 0, skipped = 0;
  for (int round = 0; round < fewer_in_repeats(60); ++round) {
    Random random(seed(), static_cast<std::uint64_t>(900 + round));
    Lobbed lobbed(round % 2, round % 3, random);
    if (round % 5 == 0) lobbed.gravity = {};
    std::vector<Bullet>& bullets = lobbed.bullets;
    std::vector<RowStatus> statuses(bullets.size());
    QueryOptions options{.ignore = lobbed.ignore};
    if (round % 4 == 0) {
      for (Bullet& bullet : bullets)
        if (random.one_in(20)) bullet.velocity.x = NAN;
      options.statuses = statuses;
    }
    const Scene scene = lobbed.world.build();
    const FlightOptions rules = any_rules(round % 4 >= 2, lobbed.gravity, random);
    const std::vector<Impact> first = scene.first_impact(bullets, rules, options);
    const ImpactLists lists = scene.all_impacts(bullets, rules, options);
    QueryOptions plain = options;
    plain.search = Search::brute_force;
    REQUIRE(all_same(first, scene.first_impact(bullets, rules, plain)));
    REQUIRE(all_same(lists.items, scene.all_impacts(bullets, rules, plain).items));
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      INFO("round " << round << ", bullet " << i << ", seed " << seed());
      const bool left_out = !options.statuses.empty() && statuses[i] == RowStatus::skipped;
      const QueryOptions single{.ignore = {&lobbed.ignore[i], 1}};
      REQUIRE(same(first[i], left_out ? Impact{} : scene.first_impact(bullets[i], rules, single)));
      if (left_out)
        REQUIRE(lists[i].empty());
      else
        REQUIRE(all_same(lists[i], scene.all_impacts(bullets[i], rules, single)));
      skipped += left_out, hits += first[i].sphere >= 0, bounced += lists[i].size() > 1;
    }
    check_counts(scene, lobbed, rules, options);
  }
  CHECK(hits > fewer_in_repeats(4000u));
  CHECK(bounced > fewer_in_repeats(400u));
  CHECK(skipped > 10);
}

TEST_CASE("more bullets than walk together, none of which lands for several chords", "[query]") {
  Random random(seed(), 950);
  for (const int count : {63, 64, 65, 130, 300}) {
    const Scene scene = Scene::build({{{0, 0, 0}, 0.01}, {{1000, 0, 0}, 0.01}, {{600, 0, -20}, 0.02}});
    std::vector<Bullet> bullets;
    for (int i = 0; i < count; ++i)
      bullets.push_back({{1e-3 * random.unit(), 0, 100}, {50, 0, 100}, random.one_in(2) ? 0 : 1.0, 0});
    const FlightOptions rules{.bounces = 2, .gravity = {0, 0, -9.8}};
    const std::vector<Impact> first = scene.first_impact(bullets, rules);
    const ImpactLists lists = scene.all_impacts(bullets, rules);
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      REQUIRE(same(first[i], scene.first_impact(bullets[i], rules)));
      REQUIRE(all_same(lists[i], scene.all_impacts(bullets[i], rules)));
    }
  }
}

TEST_CASE("spheres, bullets and gravity next to nothing need no more chords", "[query]") {
  QueryStats stats;
  const Scene scene = Scene::build({{{0, 0, 0}, 1e-310}, {{1, 0, 0}, 0.5}});
  const std::vector<Bullet> bullets(10'000, Bullet{{3, 0, 0}, {1, 0, 0}, 0, 0, 0});
  for (const double strength : {9.8, 1e-300, 0x1p199})
    for (const Impact& impact :
         scene.first_impact(bullets, {.gravity = {0, 0, -strength}}, {.stats = &stats}))
      REQUIRE(impact.sphere == -1);
  // Index and brute force agree where products of times and lengths underflow.
  Random random(seed(), 951);
  for (int i = 0; i < fewer_in_repeats(3000); ++i) {
    const double size = random.log_uniform(1e-160, 1e-120), time = random.log_uniform(1e-10, 1e20);
    const Vec3 gravity = (size / time / time * random.log_uniform(1e-3, 10)) * random.in_cube(1);
    const Scene small =
        Scene::build({{size * random.in_cube(1), 0.3 * size}, {size * random.in_cube(1), 0.3 * size}});
    const Bullet bullet{3 * size * random.in_cube(1), (3 * size / time) * random.in_cube(1)};
    INFO("case " << i << ", seed " << seed());
    REQUIRE(same(small.first_impact(bullet, {.gravity = gravity}),
                 small.first_impact(bullet, {.gravity = gravity}, {.search = Search::brute_force})));
  }
}
