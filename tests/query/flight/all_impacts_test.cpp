/// \file Bullets in whole scenes: winners against the oracle, index against brute force, rules of flight.

#include <algorithm>
#include <sphaera/scene_buffer.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>
#include <tools/workload/workload.hpp>
#include <utility>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// Spheres of a scene kind. In three of four scenes most of them move, 1e-3 to 1e3 radii per unit of time.
MovingScene moving_scene(SceneKind scene_kind, std::size_t n, Random& random) {
  MovingScene scene{make_spheres(scene_kind, n, random), {}};
  if (random.one_in(4)) return scene;
  for (const Sphere& s : scene.spheres) {
    const bool still = random.one_in(4) || s.radius > 0x1p150;  // may leave the domain if it moves
    const double speed = still ? 0 : s.radius * random.log_uniform(1e-3, 1e3);
    scene.velocities.push_back(random.one_in(5) ? Vec3{speed, 0, 0} : speed * random.in_cube(1));
  }
  return scene;
}

template <class Item>
std::vector<Item> shuffled(const std::vector<Item>& items, const std::vector<std::size_t>& order) {
  std::vector<Item> out;
  for (const std::size_t i : order) out.push_back(items[i]);
  return out;
}

MovingScene walking_crowd(std::size_t n, std::uint64_t seed) {
  MovingScene scene{workload::spheres(workload::Kind::crowd, n, seed), {}};
  Random random(seed, 1);
  for (std::size_t i = 0; i < n; ++i) scene.velocities.push_back({2 * random.unit(), 2 * random.unit(), 0});
  return scene;
}

std::vector<Bullet> shots_into_crowd(std::size_t n, std::size_t people, std::uint64_t seed) {
  Random random(seed, 2);
  std::vector<Bullet> bullets;
  for (const Ray& ray : workload::rays(workload::Kind::crowd, n, people, seed)) {
    bullets.push_back({ray.origin, random.between(20, 900) * ray.direction,
                       random.one_in(2) ? 0.0 : 0.05 * random.unit(), random.between(-0.5, 0.5), 1});
  }
  return bullets;
}

std::vector<Bullet> in_domain(const std::vector<Bullet>& all) {
  std::vector<Bullet> bullets;
  for (const Bullet& b : all) {
    const auto fits = [](const Vec3& v) { return length(v) < 0x1p199; };
    if (fits(b.origin) && fits(b.velocity) && b.radius < 0x1p199) bullets.push_back(b);
  }
  return bullets;
}

}  // namespace

TEST_CASE("bullets hit the sphere that exact arithmetic says is first, by index and by brute force",
          "[query]") {
  int hits = 0, inside = 0;
  for (int k = 0; k < scene_kind_count; ++k) {
    const auto scene_kind = static_cast<SceneKind>(k);
    for (int round = 0; round < 4; ++round) {
      Random random(seed(), static_cast<std::uint64_t>(300 + 10 * k + round));
      const MovingScene world = moving_scene(scene_kind, 60, random);
      const std::vector<Bullet> bullets = in_domain(bullets_at(world, fewer_in_repeats(400u), random));
      const Scene scene = world.build();
      std::vector<Impact> found(bullets.size()), forced(bullets.size());
      scene.first_impact(bullets, found);
      scene.first_impact(bullets, forced, {}, {.search = Search::brute_force});
      for (std::size_t i = 0; i < bullets.size(); ++i) {
        INFO(name(scene_kind) << " " << round << ", bullet " << i << ", seed " << seed());
        const Impact expected = first_by_oracle(world, bullets[i]);
        REQUIRE(found[i].sphere == expected.sphere);
        REQUIRE(found[i].contact == expected.contact);
        REQUIRE(same(found[i], forced[i]));
        REQUIRE(same(found[i], scene.first_impact(bullets[i])));
        hits += expected.sphere >= 0, inside += expected.contact == Contact::starts_inside;
      }
    }
  }
  CHECK(hits > fewer_in_repeats(3000));
  CHECK(inside > fewer_in_repeats(100));
}

TEST_CASE("impacts are where the bullet and the sphere are at that time", "[query]") {
  const std::size_t people = 2000;
  const MovingScene world = walking_crowd(people, seed());
  const std::vector<Bullet> bullets = shots_into_crowd(4000, people, seed());
  std::vector<Impact> out(bullets.size());
  world.build().first_impact(bullets, out);
  int hits = 0;
  for (std::size_t i = 0; i < bullets.size(); ++i) {
    const Impact& m = out[i];
    if (m.sphere < 0) continue;
    ++hits;
    const Bullet& b = bullets[i];
    const auto id = static_cast<std::size_t>(m.sphere);
    const double r = world.spheres[id].radius, t = m.time - b.start;
    const Vec3 center = world.center(id, m.time), w = world.velocity(id);
    INFO("bullet " << i << ", seed " << seed());
    REQUIRE(length(m.center - (b.origin + t * b.velocity)) < 1e-9);
    REQUIRE(length(m.point - center) == Approx(r).epsilon(1e-9));
    REQUIRE(length(m.normal) == Approx(1).epsilon(1e-14));
    REQUIRE(length(m.point - (center + r * m.normal)) < 1e-9);
    REQUIRE(m.distance == Approx(t * length(b.velocity)).margin(1e-9));
    const Vec3 before = b.velocity - w, after = m.velocity - w;
    REQUIRE(length(after) == Approx(length(before)).epsilon(1e-14));
    if (m.contact != Contact::enters) continue;
    REQUIRE(length(m.center - m.point) == Approx(b.radius).margin(1e-9));
    REQUIRE(dot(after, m.normal) == Approx(-dot(before, m.normal)).margin(1e-9));
    REQUIRE(length(cross(after - before, m.normal)) < 1e-9);
    REQUIRE(std::sin(m.angle) == Approx(-dot(before, m.normal) / length(before)).margin(1e-12));
    REQUIRE(m.exit_time >= m.time);
    const Vec3 there = b.origin + (m.exit_time - b.start) * b.velocity;
    REQUIRE(length(there - world.center(id, m.exit_time)) == Approx(r + b.radius).epsilon(1e-9));
    REQUIRE(length(m.exit_point - world.center(id, m.exit_time)) == Approx(r).epsilon(1e-9));
  }
  CHECK(hits > 500);
}

TEST_CASE("trajectories are the same bytes for any threads, order and grain, by index and brute force",
          "[query]") {
  const std::size_t people = 1000;
  const MovingScene world = walking_crowd(people, seed());
  const Scene scene = world.build();
  const std::vector<Bullet> bullets = shots_into_crowd(5000, people, seed());
  const FlightOptions flight{.bounces = 3, .pierces = 2, .budget = 1.5};
  const ImpactLists one = scene.all_impacts(bullets, flight, {.threads = 1});
  CHECK(one.items.size() > bullets.size() / 5);
  const auto agrees = [&](const ImpactLists& other) {
    return one.offsets == other.offsets && all_same(one.items, other.items);
  };
  CHECK(agrees(scene.all_impacts(bullets, flight, {.threads = 2})));
  CHECK(agrees(scene.all_impacts(bullets, flight, {.threads = 8, .grain = 7})));
  CHECK(agrees(scene.all_impacts(bullets, flight, {.search = Search::brute_force})));
  CHECK(agrees(world.build({.quality = BuildQuality::compact}).all_impacts(bullets, flight)));
  CHECK(agrees(world.build({.quality = BuildQuality::fast}).all_impacts(bullets, flight)));

  std::vector<std::size_t> order(bullets.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = (i * 1237) % order.size();
  const ImpactLists mixed = scene.all_impacts(shuffled(bullets, order), flight);
  for (std::size_t i = 0; i < order.size(); ++i) REQUIRE(all_same(mixed[i], one[order[i]]));
}

TEST_CASE("the impacts of a batch are those of single bullets", "[query]") {
  Random random(seed(), 9);
  std::size_t hits = 0;
  for (int round = 0; round < fewer_in_repeats(60); ++round) {
    const auto scene_kind = static_cast<SceneKind>(random.below(scene_kind_count));
    const MovingScene world = moving_scene(scene_kind, 40, random);
    const Scene scene = world.build();
    std::vector<Bullet> bullets = in_domain(bullets_at(world, 150, random));
    for (Bullet& bullet : bullets)
      if (random.one_in(3)) bullet.radius = 0;
    FlightOptions flight{.bounces = random.one_in(2) ? 1u : 0u, .pierces = random.one_in(3) ? 2u : 0u};
    flight.start_inside = static_cast<StartInside>(random.below(3));
    flight.restitution = random.one_in(2) ? 1 : random.unit();
    flight.friction = random.one_in(3) ? random.unit() : 0;
    const std::vector<Impact> impacts = scene.first_impact(bullets, flight);
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      REQUIRE(same(impacts[i], scene.first_impact(bullets[i], flight)));
      hits += impacts[i].sphere >= 0;
    }
    REQUIRE(all_same(impacts, scene.first_impact(bullets, flight, {.search = Search::brute_force})));
    REQUIRE(all_same(impacts, scene.first_impact(bullets, flight, {.threads = 1, .grain = 3})));
    const ImpactLists trajectories = scene.all_impacts(bullets, flight),
                      forced = scene.all_impacts(bullets, flight, {.search = Search::brute_force});
    REQUIRE(trajectories.offsets == forced.offsets);
    REQUIRE(all_same(trajectories.items, forced.items));
    for (std::size_t i = 0; i < bullets.size(); i += 5)
      REQUIRE(all_same(trajectories[i], scene.all_impacts(bullets[i], flight)));
  }
  CHECK(hits > fewer_in_repeats(500u));
}

TEST_CASE("every leg of a trajectory ends at the sphere that the oracle finds first", "[query]") {
  Random random(seed(), 5);
  const MovingScene world = walking_crowd(300, seed());
  const Scene scene = world.build();
  const std::vector<Bullet> bullets = shots_into_crowd(4000, 300, seed());
  const ImpactLists trajectories = scene.all_impacts(bullets, {.bounces = 4});
  int legs = 0;
  for (std::size_t i = 0; i < bullets.size(); ++i) {
    Bullet leg = bullets[i];
    for (const Impact& m : trajectories[i]) {
      INFO("bullet " << i << " impact " << m.bounce << ", seed " << seed());
      if (m.bounce > 0) {
        // No sphere that the leg starts outside of is entered earlier. It may start inside the sphere just
        // left and, by rounding, inside others.
        oracle::Sight met = world.sight(leg, static_cast<std::size_t>(m.sphere));
        REQUIRE(oracle::contact(met) == m.contact);
        for (std::size_t s = 0; s < world.spheres.size(); ++s) {
          const oracle::Sight other = world.sight(leg, s);
          if (oracle::contact(other) != Contact::enters) continue;
          const int order = oracle::compare_entries(other, met);
          REQUIRE((order > 0 || (order == 0 && static_cast<std::int64_t>(s) >= m.sphere)));
        }
        ++legs;
      }
      leg = {m.center, m.velocity, leg.radius, m.time, std::max(0.0, leg.duration - (m.time - leg.start))};
    }
  }
  CHECK(legs > 20);
}

TEST_CASE("a bullet passes through spheres in order, as far as its budget goes", "[query]") {
  const std::vector<Sphere> row{{{30, 0, 0}, 1}, {{10, 0, 0}, 1}, {{20, 0.5, 0}, 1}, {{11, 0, 0}, 3}};
  const std::vector<double> resistances{1, 2, 4, 0.5};
  const Scene scene = Scene::build(row);
  const std::vector<Bullet> bullets{{{}, {10, 0, 0}}};
  const auto ids = [&](const FlightOptions& flight) {
    std::vector<std::int64_t> found;
    for (const Impact& m : scene.all_impacts(bullets, flight).items) found.push_back(m.sphere);
    return found;
  };
  using Ids = std::vector<std::int64_t>;
  CHECK(ids({}) == Ids{3});
  CHECK(ids({.pierces = 1}) == Ids{3, 1});
  CHECK(ids({.pierces = 9}) == Ids{3, 1, 2, 0});
  CHECK(ids({.pierces = 9, .budget = 2}) == Ids{3, 1, 2});
  CHECK(ids({.pierces = 9, .budget = 2.5, .resistances = resistances}) == Ids{3, 1, 2});
  CHECK(ids({.pierces = 9, .budget = 2.4, .resistances = resistances}) == Ids{3, 1});
  const ImpactLists all = scene.all_impacts(bullets, {.pierces = 2});
  REQUIRE(all[0].size() == 3);
  CHECK(all[0][0].outcome == Outcome::passes);
  CHECK(all[0][0].velocity == Vec3{10, 0, 0});
  CHECK(all[0][0].time == 0.8);
  CHECK(all[0][0].exit_time == Approx(1.4).epsilon(1e-15));
  CHECK(all[0][2].outcome == Outcome::stops);
  // The bullet ricochets off sphere 1 inside sphere 3. Sphere 3 is not hit again: it was never left.
  const ImpactLists back = scene.all_impacts(bullets, {.bounces = 1, .pierces = 1});
  REQUIRE(back[0].size() == 2);
  CHECK(back[0][1].sphere == 1);
  CHECK(back[0][1].outcome == Outcome::ricochets);
  CHECK(back[0][1].velocity == Vec3{-10, 0, 0});
}

TEST_CASE("a bullet that starts within a sphere hits it, waits until it has left, or is refused", "[query]") {
  const Scene scene = Scene::build(std::vector<Sphere>{{{}, 2}, {{3, 0, 0}, 2}});
  const std::vector<Bullet> out{{{1.5, 0, 0}, {1, 0, 0}}}, in{{{-1.5, 0, 0}, {1, 0, 0}}};
  const auto impacts_of = [&](const std::vector<Bullet>& bullets, StartInside rule) {
    return scene.all_impacts(bullets, {.bounces = 2, .start_inside = rule}).items;
  };
  const auto hits = impacts_of(in, StartInside::hits);
  REQUIRE(hits.size() == 1);  // off at once, the way it came
  CHECK(hits[0].sphere == 0);
  CHECK(hits[0].time == 0);
  CHECK(hits[0].velocity == Vec3{-1, 0, 0});
  CHECK(hits[0].point == Vec3{-2, 0, 0});
  CHECK(impacts_of(out, StartInside::hits).at(0).velocity == Vec3{1, 0, 0});  // sphere 0, on its way out

  const auto leaves = impacts_of(in, StartInside::leaves);
  REQUIRE(leaves.size() == 1);  // back through the sphere that it started in: still not left
  CHECK(leaves[0].sphere == 1);
  CHECK(leaves[0].time == 2.5);

  const auto refused = impacts_of(in, StartInside::refuses);
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].outcome == Outcome::refused);
  CHECK(refused[0].sphere == 0);
  CHECK(std::isnan(refused[0].time));
}

TEST_CASE("restitution and friction take what they should", "[query]") {
  // Other numbers: tests/ballistics/impact_test.cpp.
  const Scene floor = Scene::build(std::vector<Sphere>{{{0, 0, -100}, 100}});
  const Bullet bullet{{-1, 0, 1}, {1, 0, -1}, 0, 0, infinity};  // to the top, where the normal is z
  const auto error = [&](double restitution, double friction, const Vec3& velocity) {
    const FlightOptions flight{.restitution = restitution, .friction = friction};
    return length(floor.first_impact(bullet, flight).velocity - velocity);
  };
  const double stated = 4 * 0x1p-53 * length(bullet.velocity);
  CHECK(error(1, 0, {1, 0, 1}) <= stated);
  CHECK(error(0.5, 0, {1, 0, 0.5}) <= stated);
  CHECK(error(1, 0.25, {0.5, 0, 1}) <= stated);
  CHECK(error(0.5, 0.25, {0.625, 0, 0.5}) <= stated);
  CHECK(error(0, 9, {}) <= stated);
}

TEST_CASE("speed is kept to 1.01u a bounce, and a closed cage holds bullets for a thousand bounces",
          "[query]") {
  // Spheres in a shell, close enough to leave no gap.
  std::vector<Sphere> cage;
  constexpr int count = 400;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, angle = i * 2.399963229728653, h = std::sqrt(1 - z * z);
    cage.push_back({{10 * h * std::cos(angle), 10 * h * std::sin(angle), 10 * z}, 1.6});
  }
  const Scene scene = Scene::build(cage);
  const auto speed_of = [](const Vec3& v) {  // good to 2^-62: a hundredth of u is 2^-59.6
    const long double x = v.x, y = v.y, z = v.z;
    return std::sqrt(x * x + y * y + z * z);
  };
  Random random(seed(), 7);
  std::vector<Bullet> bullets;
  for (int i = 0; i < 100; ++i)
    bullets.push_back({random.in_cube(1), 300 * random.in_cube(1), i % 2 ? 0 : 0.2 * random.unit()});
  // From the middle into the crease between two neighbors, which they hit at the same time, but for rounding.
  for (std::size_t i = 0; bullets.size() < 200; ++i) {
    const std::size_t j = i + (i % 2 ? 13 : 21);  // neighbors in the spiral
    bullets.push_back({{}, 10 * (cage[i].center + cage[j].center), i % 4 < 2 ? 0 : 0.2 * random.unit()});
  }
  const ImpactLists trajectories = scene.all_impacts(bullets, {.bounces = 1000}, {.threads = 1});
  int corners = 0;
  for (std::size_t i = 0; i < bullets.size(); ++i) {
    INFO("bullet " << i << ", seed " << seed());
    REQUIRE(trajectories[i].size() == 1001);
    long double speed = speed_of(bullets[i].velocity);
    for (const Impact& m : trajectories[i]) {
      REQUIRE(length(m.center) < 10);
      const long double before = std::exchange(speed, speed_of(m.velocity));
      REQUIRE(std::fabs(speed - before) <= 1.01L * 0x1p-53L * speed);
      corners += m.contact == Contact::starts_inside;
    }
  }
  const ImpactLists again = scene.all_impacts(bullets, {.bounces = 1000}, {.threads = 8, .grain = 3});
  CHECK(all_same(trajectories.items, again.items));
  std::printf("cage: 200 bullets, 200200 impacts, %d of them in a corner\n", corners);
}

TEST_CASE("index and brute force find the same near misses of bullets from any distance", "[query]") {
  Random random(seed(), 77);
  std::size_t near = 0;
  for (const SceneKind scene_kind : kinds_to_try()) {
    const MovingScene world = moving_scene(scene_kind, 30, random);
    const Scene scene = world.build();
    std::vector<Bullet> bullets;
    for (int i = 0; i < fewer_in_repeats(500); ++i) {
      const Sphere& sphere =
          world.spheres[static_cast<std::size_t>(random.below(static_cast<int>(world.spheres.size())))];
      const Vec3 from = sphere.center + sphere.radius * random.log_uniform(1, 0x1p50) * random.in_cube(1);
      const Vec3 beside = sphere.center + random.between(1, 3) * sphere.radius * random.in_cube(1);
      bullets.push_back({from, beside - from, 0, 0, 2});
    }
    bullets = in_domain(bullets);
    for (const double reach : {0.0, world.spheres[0].radius}) {
      const std::vector<NearMiss> found = scene.near_misses(bullets, reach);
      const std::vector<NearMiss> forced = scene.near_misses(bullets, reach, {.search = Search::brute_force});
      for (std::size_t i = 0; i < bullets.size(); ++i) {
        INFO("bullet " << i << ", seed " << seed());
        CHECK(same(found[i], forced[i]));
        near += found[i].sphere >= 0;
      }
    }
  }
  CHECK(near > 0);
}

TEST_CASE("near misses are those of brute force in longer numbers", "[query]") {
  const std::size_t people = 500;
  const MovingScene world = walking_crowd(people, seed());
  const Scene scene = world.build();
  const std::vector<Bullet> bullets = shots_into_crowd(2000, people, seed());
  constexpr double max_distance = 1.5;
  const std::vector<NearMiss> found = scene.near_misses(bullets, max_distance);
  CHECK(all_same(found, scene.near_misses(bullets, max_distance, {.search = Search::brute_force})));
  CHECK(all_same(found, scene.near_misses(bullets, max_distance, {.threads = 8, .grain = 3})));
  int missed = 0;
  for (std::size_t i = 0; i < bullets.size(); ++i) {
    const Bullet& b = bullets[i];
    const Impact hit = scene.first_impact(b);
    long double end = std::min(b.duration, world.horizon.to - b.start);
    if (hit.sphere >= 0) {
      const auto roots = oracle::roots(world.sight(b, static_cast<std::size_t>(hit.sphere)));
      end = std::max(0.0L, static_cast<long double>(roots.value().t1));
    }
    long double least = infinity, reach = 0;  // |L| and the radii of the sphere with the least gap
    for (std::size_t s = 0; s < people; ++s) {
      if (static_cast<std::int64_t>(s) == hit.sphere) continue;
      long double l[3], d[3], start = 0, square = 0, along = 0, far = 0;
      for (int k = 0; k < 3; ++k) {
        l[k] = static_cast<long double>(b.origin[k]) - world.spheres[s].center[k] -
               static_cast<long double>(world.velocities[s][k]) * b.start;
        d[k] = static_cast<long double>(b.velocity[k]) - world.velocities[s][k];
        start += l[k] * l[k], square += d[k] * d[k], along += l[k] * d[k];
      }
      const long double t = std::clamp(-along / square, 0.0L, end);
      for (int k = 0; k < 3; ++k) far += (l[k] + t * d[k]) * (l[k] + t * d[k]);
      const long double radii = static_cast<long double>(world.spheres[s].radius) + b.radius,
                        gap = std::sqrt(far) - radii;
      if (gap > 1e-12L && gap < least)  // else the sphere already touches the bullet
        least = gap, reach = std::sqrt(start) + radii;
    }
    INFO("bullet " << i << ", seed " << seed());
    if (least > max_distance) {
      REQUIRE(found[i].sphere == -1);
    } else {
      ++missed;
      REQUIRE(std::fabs(found[i].distance - least) <= 18 * 0x1p-53L * reach);
    }
  }
  CHECK(missed > 200);
}

TEST_CASE("a bullet or an option that is not valid is refused and named", "[query]") {
  const std::vector<Sphere> two{{{}, 1}, {{5, 0, 0}, 1}};
  const std::vector<Vec3> still(2), one(1), fast{{}, {HUGE_VAL, 0, 0}};
  CHECK(refusal([&] { (void)Scene::build(two, {.velocities = one}); }).message ==
        "there are 1 velocities for 2 spheres; give none or one for each sphere");
  CHECK(refusal([&] { (void)Scene::build(two, {.velocities = fast, .horizon = Horizon{}}); }).element == 1);
  CHECK(refusal([&] {
          (void)Scene::build(two, {.velocities = still, .horizon = Horizon{0, infinity}});
        }).code == ErrorCode::invalid_argument);
  const Scene scene = Scene::build(two);
  std::vector<Bullet> bullets{{{}, {1, 0, 0}}, {{}, {1, 0, 0}, -1}};
  CHECK(refusal([&] { (void)scene.all_impacts(bullets); }).element == 1);
  CHECK(refusal([&] { (void)scene.all_impacts(bullets); }).message ==
        "bullet 1: radius is -1; give a finite one, 0 or more and at most 2^200");
  bullets.pop_back();
  const std::vector<double> three(3), negative{1, -1};
  CHECK(refusal([&] { (void)scene.all_impacts(bullets, {.resistances = three}); }).code ==
        ErrorCode::invalid_argument);
  CHECK(refusal([&] { (void)scene.all_impacts(bullets, {.resistances = negative}); }).element == 1);
  // A single shot looks at the resistance of the sphere that it hits, and of no other.
  const Bullet first{{-3, 0, 0}, {1, 0, 0}}, second{{9, 0, 0}, {-1, 0, 0}};
  CHECK(scene.first_impact(first, {.pierces = 1, .resistances = negative}).outcome == Outcome::passes);
  CHECK(refusal([&] { (void)scene.first_impact(second, {.pierces = 1, .resistances = negative}); }).element ==
        1);
  CHECK(refusal([&] { (void)scene.first_impact(first, {.resistances = three}); }).code ==
        ErrorCode::invalid_argument);
  CHECK(refusal([&] { (void)scene.all_impacts(bullets, {.restitution = 1.5}); }).code ==
        ErrorCode::invalid_argument);
  CHECK(refusal([&] { (void)scene.near_misses(bullets, infinity); }).code == ErrorCode::invalid_argument);
  CHECK(Scene().all_impacts(bullets).items.empty());
  CHECK(Scene().near_misses(bullets, 1).at(0).sphere == -1);
}

TEST_CASE("bullets hit updated spheres as they hit those of a newly built scene", "[query]") {
  Random random(seed(), 21);
  for (const BuildQuality quality : {BuildQuality::balanced, BuildQuality::compact}) {
    MovingScene world = walking_crowd(500, seed());
    Scene scene = world.build({.quality = quality});
    SceneBuffer buffer(world.spheres,
                       {.velocities = world.velocities, .horizon = world.horizon, .quality = quality});
    for (int frame = 0; frame < 6; ++frame) {
      const double stride = frame == 3 ? 100 : 0.5;
      std::vector<Vec3> centers;
      for (std::size_t i = 0; i < world.spheres.size(); ++i) {
        world.spheres[i].center = world.spheres[i].center + stride * random.in_cube(1);
        centers.push_back(world.spheres[i].center);
        if (frame % 2) world.velocities[i] = 3 * random.in_cube(1);
      }
      const std::span<const Vec3> velocities = frame % 2 ? world.velocities : std::span<const Vec3>{};
      scene.update(centers, velocities);
      buffer.update(centers, velocities);
      const std::vector<Bullet> bullets = bullets_at(world, 1000, random);
      std::vector<Impact> fresh(bullets.size()), updated(bullets.size()), buffered(bullets.size());
      world.build().first_impact(bullets, fresh);
      scene.first_impact(bullets, updated);
      buffer.current()->first_impact(bullets, buffered);
      CHECK(all_same(fresh, updated));
      CHECK(all_same(fresh, buffered));
    }
  }
}
