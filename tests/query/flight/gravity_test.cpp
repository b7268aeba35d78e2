/// \file Bullets under gravity in whole scenes: first impacts against the oracle's quartics, the numbers of
/// every leg against a hundred digits, index against brute force, balls that bounce as high as they fell.

#include <cstdio>
#include <memory>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/oracle/curve.hpp>
#include <tests/oracle/worst_errors.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>
#include <tests/unit_roundoff.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

using oracle::Dyadic, oracle::Real;

MovingScene cluster(std::size_t n, double size, bool moving, Random& random) {
  MovingScene scene;
  for (std::size_t i = 0; i < n; ++i) {
    scene.spheres.push_back({size * random.in_cube(1), size * random.log_uniform(0.01, 0.3)});
    if (moving) scene.velocities.push_back((0.2 * size) * random.in_cube(1));
  }
  return scene;
}

std::unique_ptr<oracle::Arc> arc_of(const Bullet& bullet, const Sphere& sphere, const Vec3& velocity,
                                    const Vec3& gravity) {
  const oracle::Sight sight = oracle::sight(bullet, sphere, velocity);
  return std::make_unique<oracle::Arc>(
      oracle::Arc::Terms{sight.l, sight.d, {gravity.x, gravity.y, gravity.z}, sight.r});
}

/// True if the root lies within the bullet's flight and, if spheres move, within the horizon.
bool lies_within_flight(oracle::CurveRoot& root, const MovingScene& scene, const Bullet& bullet) {
  if (bullet.duration < infinity && oracle::compare(root, Dyadic(bullet.duration)) > 0) return false;
  return scene.velocities.empty() ||
         oracle::compare(root, Dyadic(scene.horizon.to) - Dyadic(bullet.start)) <= 0;
}

/// The sphere that is met first: at 0, or at the least root. The bullet starts within the horizon.
std::int64_t first_by_oracle(const MovingScene& scene, const Bullet& bullet, const Vec3& gravity) {
  std::int64_t first = -1;
  std::vector<std::unique_ptr<oracle::Arc>> arcs;
  std::optional<oracle::CurveRoot> best;
  for (std::size_t i = 0; i < scene.spheres.size(); ++i) {
    arcs.push_back(arc_of(bullet, scene.spheres[i], scene.velocity(i), gravity));
    const oracle::Arc& arc = *arcs.back();
    if (arc.sign_at(0.0) <= 0) return static_cast<std::int64_t>(i);
    if (arc.roots().empty()) continue;
    oracle::CurveRoot root = arc.roots()[0];
    if (!lies_within_flight(root, scene, bullet)) continue;
    if (best && oracle::compare(root, *best) >= 0) continue;
    best = root, first = static_cast<std::int64_t>(i);
  }
  return first;
}

/// Compares the impacts that enter spheres. Each leg after a ricochet starts from the impact before it.
void compare_legs(std::span<const Impact> impacts, const MovingScene& scene, const Bullet& bullet,
                  const FlightOptions& flight, WorstErrors& worst) {
  Bullet leg = bullet;
  for (const Impact& m : impacts) {
    const auto id = static_cast<std::size_t>(m.sphere);
    if (m.contact == Contact::enters) compare(m, leg, scene.spheres[id], scene.velocity(id), flight, worst);
    if (m.outcome == Outcome::ricochets) leg.origin = m.center, leg.velocity = m.velocity, leg.start = m.time;
  }
}

}  // namespace

TEST_CASE("lobbed bullets hit the sphere that the quartics say, by index and by brute force", "[query]") {
  int hits = 0;
  WorstErrors worst;
  for (int round = 0; round < 12; ++round) {
    Random random(seed(), static_cast<std::uint64_t>(500 + round));
    const double size = random.log_uniform(1e-3, 1e6);
    const Vec3 gravity = round % 3 ? Vec3{0, 0, -random.log_uniform(0.1, 100) * size}
                                   : (random.log_uniform(0.01, 10) * size) * random.in_cube(1);
    MovingScene world = cluster(30, size, round % 2, random);
    world.horizon = Horizon{0, 4};
    std::vector<Bullet> bullets;
    for (int i = 0; i < fewer_in_repeats(150); ++i) {
      Bullet b = lobbed_at(world, gravity, random);
      bullets.push_back(b);
    }
    const Scene scene = world.build();
    const FlightOptions flight{.bounces = 3,
                               .gravity = gravity,
                               .restitution = round % 4 ? 1 : random.unit(),
                               .friction = round % 4 ? 0 : random.log_uniform(1e-3, 1)};
    std::vector<Impact> found(bullets.size());
    scene.first_impact(bullets, found, flight);
    const ImpactLists trajectories = scene.all_impacts(bullets, flight, {.threads = 2}),
                      by_brute_force = scene.all_impacts(bullets, flight, {.search = Search::brute_force}),
                      mixed = scene.all_impacts(bullets, flight, {.threads = 8, .grain = 3});
    REQUIRE(all_same(trajectories.items, by_brute_force.items));
    REQUIRE(all_same(trajectories.items, mixed.items));
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      INFO("round " << round << ", bullet " << i << ", seed " << seed());
      REQUIRE(found[i].sphere == first_by_oracle(world, bullets[i], gravity));
      if (found[i].sphere < 0) continue;
      ++hits;
      compare_legs(trajectories[i], world, bullets[i], flight, worst);
    }
  }
  std::printf("legs under gravity: %d", hits);
  print(worst);
  CHECK(worst.most() <= 1);
  CHECK(hits > fewer_in_repeats(500));
}

TEST_CASE("a lobbed bullet that goes up through a sphere comes down into it again", "[query]") {
  const Scene scene = Scene::build({{{0, 0, 2}, 1}});
  const Bullet bullet{{0, 0, 0}, {0, 0, 2.6}, 0, 0, 3.6};
  for (const Search search : {Search::index, Search::brute_force}) {
    const std::vector<Impact> impacts =
        scene.all_impacts(bullet, {.pierces = 5, .gravity = {0, 0, -1}}, {.search = search});
    REQUIRE(impacts.size() == 2);
    const Real speed = bullet.velocity.z, in = speed - sqrt(speed * speed - 2),
               again = speed + sqrt(speed * speed - 6);
    CHECK(abs(impacts[0].time - in) <= 2.2 * u * in);
    CHECK(abs(impacts[1].time - again) <= 2.2 * u * again);
  }
}

TEST_CASE("index and brute force find the same entries of flights into large spheres", "[query]") {
  Random random(seed());
  std::size_t twice = 0;
  for (int i = 0; i < 2000; ++i) {  // about 13 of them enter twice
    const double r = random.log_uniform(0.1, 3);
    const Scene scene = Scene::build({{2 * random.in_cube(1), r}, {2 * random.in_cube(1), 0.5}});
    const Bullet bullet{3 * random.in_cube(1),
                        {0.3 * random.whole(-1, 1), 0, random.log_uniform(0.5, 4)},
                        random.one_in(2) ? 0.1 : 0,
                        0,
                        random.log_uniform(1, 8)};
    const FlightOptions flight{.pierces = 9, .gravity = {0, 0, -1}};
    const auto by_index = scene.all_impacts(bullet, flight),
               by_brute_force = scene.all_impacts(bullet, flight, {.search = Search::brute_force});
    INFO("bullet " << i << ", seed " << seed());
    REQUIRE(all_same(by_index, by_brute_force));
    REQUIRE(scene.first_impact(bullet, flight).sphere ==
            scene.first_impact(bullet, flight, {.search = Search::brute_force}).sphere);
    for (const std::int64_t id : {0, 1}) twice += std::ranges::count(by_index, id, &Impact::sphere) > 1;
  }
  CHECK(twice > 0);
}

TEST_CASE(
    "lobbed bullets hit a sphere that they touch exactly at the end of the horizon, and miss one a bit later",
    "[query]") {
  // At the scene's time T = 8 the bullet's own time is t = 8 + 2^-50. A bullet from -2^-100 has then fallen
  // to exactly 64 + 2^-46.
  constexpr double touching = 73 + 0x1p-46;
  int touched = 0, missed = 0;
  for (int i = 0; i < fewer_in_repeats(2000); ++i) {
    Random random(seed(), static_cast<std::uint64_t>(700 + i));
    const double length = std::ldexp(1, random.whole(-40, 40)), time = std::ldexp(1, random.whole(-40, 40)),
                 side = random.one_in(2) ? 1 : -1;
    const Vec3 ways[] = {{side * length, 0, 0}, {0, side * length, 0}, {0, 0, side * length}};
    const auto along = [&, way = ways[random.below(3)]](double x) { return x * way; };
    const auto perhaps_aside = [&](double x) { return random.one_in(4) ? step(x, random.whole(-1, 1)) : x; };
    const double start = perhaps_aside(-0x1p-50) * time;
    const MovingScene world{{{along(perhaps_aside(touching)), length}},
                            {(1 / time) * along(-1)},
                            {start, perhaps_aside(8) * time}};
    const Bullet bullet{along(perhaps_aside(-0x1p-100)), {}, 0, start};
    const FlightOptions flight{.gravity = (1 / time / time) * along(2)};
    const Scene scene = world.build();
    INFO("case " << i << ", seed " << seed());
    const std::int64_t expected = first_by_oracle(world, bullet, flight.gravity);
    REQUIRE(scene.first_impact(bullet, flight).sphere == expected);
    REQUIRE(scene.first_impact(bullet, flight, {.search = Search::brute_force}).sphere == expected);
    REQUIRE(scene.all_impacts({&bullet, 1}, flight).items.size() == (expected < 0 ? 0 : 1));
    ++(expected < 0 ? missed : touched);
  }
  CHECK(touched > fewer_in_repeats(500));
  CHECK(missed > fewer_in_repeats(100));
}

TEST_CASE("a ball bounces on the ground as high as it fell, or comes to rest", "[query]") {
  const Scene ground = Scene::build(std::vector<Sphere>{{{0, 0, -1e6}, 1e6}});
  const std::vector<Bullet> ball{{{0, 0, 2}, {0, 0, 0}, 0.5}};
  const Vec3 gravity{0, 0, -9.81};
  const auto bounces = [&](double restitution) {
    return ground.all_impacts(ball, {.bounces = 200, .gravity = gravity, .restitution = restitution}).items;
  };
  const double fall = std::sqrt(2 * 1.5 / 9.81), speed = 9.81 * fall, radii = 1e6 + 0.5,
               place = 2 * u * (2 + radii);  // the stated error of a place
  const auto elastic = bounces(1);
  REQUIRE(elastic.size() == 201);
  WorstErrors worst;
  compare_legs(elastic, {{{{0, 0, -1e6}, 1e6}}, {}}, ball[0], {.gravity = gravity}, worst);
  CHECK(worst.most() <= 1);
  // With each bounce the errors of place and velocity change the energy.
  CHECK(std::fabs(length(elastic[200].velocity) - speed) <= 201 * (9.81 / speed * place + 4 * u * speed));

  const auto soft = bounces(0.5);
  REQUIRE(soft.size() > 10);
  CHECK(soft.size() < 201);  // the ball rests when its hops get as short as a rounding
  CHECK(soft.back().outcome == Outcome::stops);
  // It falls once, and hops for 1, 1/2, 1/4 … of that time. A hop of this way ends the flight.
  const double hop = 16 * u * (2 + radii), rest = 4 * std::sqrt(hop / 9.81);
  CHECK(soft.back().time <= 3 * fall);
  CHECK(soft.back().time >= 3 * fall - rest);
  const auto dead = bounces(0);
  REQUIRE(dead.size() == 1);
  CHECK(dead[0].outcome == Outcome::stops);
}

TEST_CASE("bullets under gravity pass through spheres in order, and fall back into them", "[query]") {
  const Scene scene = Scene::build(std::vector<Sphere>{{{0, 0, 0}, 1}, {{0, 0, 5}, 1}});
  const std::vector<Bullet> up{{{0, 0, -3}, {0, 0, 12}}};  // turns at z = 4.34
  const ImpactLists all = scene.all_impacts(up, {.pierces = 9, .gravity = {0, 0, -9.81}});
  REQUIRE(all.items.size() == 3);
  CHECK(all.items[0].sphere == 0);
  CHECK(all.items[1].sphere == 1);
  CHECK(all.items[2].sphere == 0);  // again, on its way down
  const auto near = [](double z, double expected) {
    return std::fabs(z - expected) <= 2 * u * (std::fabs(expected) + 1);
  };
  CHECK(near(all.items[0].point.z, -1));
  CHECK(near(all.items[1].point.z, 4));
  CHECK(near(all.items[2].point.z, 1));
  WorstErrors worst;
  compare_legs(all.items, {{{{0, 0, 0}, 1}, {{0, 0, 5}, 1}}, {}}, up[0], {.gravity = {0, 0, -9.81}}, worst);
  CHECK(worst.most() <= 1);
  CHECK(all.items[2].velocity.z < 0);
}

TEST_CASE("bullets that pass through spheres near the top of their flight keep their slow velocity",
          "[query]") {
  WorstErrors worst;
  int passages = 0;
  const int cases = fewer_in_repeats(300);
  for (int i = 0; i < cases; ++i) {
    Random random(seed(), static_cast<std::uint64_t>(800 + i));
    const double r = random.log_uniform(0.1, 10), t = random.log_uniform(0.1, 10),
                 strength = random.log_uniform(0.1, 10);
    const Vec3 gravity = strength * random.direction(), out = random.direction(),
               center = 10 * random.in_cube(1);
    // At the hit it has next to none of the speed that gravity has taken.
    const Vec3 slow = (strength * t * random.log_uniform(1e-6, 1)) * (random.in_cube(0.5) - out),
               velocity = slow - t * gravity;
    const Bullet bullet{center + r * out - t * velocity - (0.5 * t * t) * gravity, velocity};
    const MovingScene world{{{center, r}}, {}};
    const FlightOptions flight{.pierces = 3, .gravity = gravity};
    const std::vector<Impact> impacts = world.build().all_impacts(bullet, flight);
    INFO("case " << i << ", seed " << seed());
    compare_legs(impacts, world, bullet, flight, worst);
    passages += static_cast<int>(impacts.size());
  }
  std::printf("passages under gravity: %d", passages);
  print(worst);
  CHECK(worst.most() <= 1);
  CHECK(passages > cases / 2);
}

TEST_CASE("gravity that is not finite and bullets that start too early are refused", "[query]") {
  const std::vector<Vec3> still(1);
  const Scene scene =
      Scene::build(std::vector<Sphere>{{{}, 1}}, {.velocities = still, .horizon = Horizon{0, 1}});
  const std::vector<Bullet> early{{{3, 0, 0}, {}, 0, 0.5}, {{3, 0, 0}, {}, 0, -1}};
  CHECK(refusal([&] { (void)scene.all_impacts(early, {.gravity = {0, 0, -1}}); }).element == 1);
  CHECK(refusal([&] { (void)scene.all_impacts(early, {.gravity = {0, HUGE_VAL, 0}}); }).code ==
        ErrorCode::invalid_argument);
}
