/// \file Stacks of equal spheres, as where a crowd is set down at one point: the index answers as brute force
/// does, whatever tells the spheres of a stack apart, and visits a few of them where one is wanted.

#include <sphaera/scene.hpp>
#include <sphaera/scene_buffer.hpp>

#include <algorithm>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/inputs/scene_queries.hpp>
#include <tests/oracle/scene.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Random, test::SceneQueries;

/// A few places, each with many equal spheres, and single spheres among them; ids in random order. In some
/// scenes another sphere is so far away that the others get a frame of their own.
struct Stacks {
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;
  std::vector<std::uint8_t> layers;
  std::vector<std::uint32_t> owners;
  Horizon horizon{-1, 2};

  Stacks(std::size_t places, std::size_t n, Random& random) {
    const std::vector<Sphere> at = test::make_spheres(test::SceneKind::uniform, places, random);
    const std::vector<Vec3> moves = test::make_velocities(at, random);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t place = random.bits() % places;
      spheres.push_back(at[place]), velocities.push_back(moves[place]);
      layers.push_back(static_cast<std::uint8_t>(random.below(3)));
      owners.push_back(static_cast<std::uint32_t>(random.below(4)));
      if (!random.one_in(50)) continue;
      spheres.back() = test::make_spheres(test::SceneKind::uniform, 1, random)[0];
    }
    if (random.one_in(3)) spheres.back() = {1e9 * random.direction(), 1e8};
  }

  Scene build(bool moving) const {
    return Scene::build(spheres, {.layers = layers,
                                  .owners = owners,
                                  .velocities = moving ? velocities : std::vector<Vec3>{},
                                  .horizon = moving ? horizon : Horizon{}});
  }
};

/// What tells equal spheres apart: some of the options, for a batch of n queries on the scene's spheres.
struct Apart {
  std::vector<std::int64_t> ignore;
  std::vector<double> times;
  std::vector<LayerMask> layers_each;
  std::vector<std::int64_t> ignore_owners;
  QueryOptions options;

  Apart(std::size_t n, std::size_t spheres, bool moving, bool paths, Random& random) {
    for (std::size_t i = 0; i < n; ++i) {
      ignore.push_back(random.one_in(2) ? static_cast<std::int64_t>(i % spheres) : -1);
      times.push_back(random.one_in(2) ? 0 : random.between(-1, 2));
      layers_each.push_back(random.bits());
      ignore_owners.push_back(random.below(5));
    }
    if (random.one_in(2)) options.ignore = ignore;
    if (moving && paths && random.one_in(2)) options.times = times;
    if (random.one_in(3)) options.layers_each = layers_each;
    if (random.one_in(3)) options.layers = random.bits();
    if (random.one_in(3)) options.ignore_owners = ignore_owners;
    if (random.one_in(4))
      options.accept = [](std::size_t query, std::int64_t id) {
        return (query + static_cast<std::size_t>(id)) % 3 != 0;
      };
  }
  QueryOptions brute() const {
    QueryOptions brute = options;
    brute.search = Search::brute_force;
    return brute;
  }
};

void check_paths(const Scene& scene, const std::vector<Ray>& rays, bool moving, Random& random) {
  const Apart apart(rays.size(), scene.spheres().size(), moving, true, random);
  CHECK(scene.blocked(rays, apart.options) == scene.blocked(rays, apart.brute()));
  CHECK(test::all_same(scene.first_hit(rays, apart.options), scene.first_hit(rays, apart.brute())));
  HitLists found, expected;
  scene.all_hits(rays, found, apart.options), scene.all_hits(rays, expected, apart.brute());
  CHECK(test::all_same(found.items, expected.items));
}

void check_points(const Scene& scene, const std::vector<Vec3>& points, bool moving, Random& random) {
  const Apart apart(points.size(), scene.spheres().size(), moving, true, random);
  for (const std::size_t k : {std::size_t{1}, std::size_t{7}})
    CHECK(test::all_same(scene.nearest(points, k, apart.options), scene.nearest(points, k, apart.brute())));
  std::vector<Ball> balls;
  for (const Vec3& point : points) balls.push_back({point, random.log_uniform(0.1, 30)});
  CHECK(scene.count_within(balls, apart.options) == scene.count_within(balls, apart.brute()));
  IdLists ids, expected_ids;
  scene.within(balls, ids, apart.options), scene.within(balls, expected_ids, apart.brute());
  CHECK(ids.items == expected_ids.items);
  NeighborLists found, expected;
  scene.neighbors_within(balls, found, apart.options);
  scene.neighbors_within(balls, expected, apart.brute());
  CHECK(test::all_same(found.items, expected.items));
}

void check_bullets(const Scene& scene, const std::vector<Bullet>& bullets, Random& random) {
  const Apart apart(bullets.size(), scene.spheres().size(), true, false, random);
  const FlightOptions rules{.bounces = 2,
                            .pierces = 1,
                            .start_inside = static_cast<StartInside>(random.below(3)),
                            .gravity = random.one_in(2) ? Vec3{0, 0, -1} : Vec3{}};
  CHECK(test::all_same(scene.first_impact(bullets, rules, apart.options),
                       scene.first_impact(bullets, rules, apart.brute())));
  CHECK(test::all_same(scene.all_impacts(bullets, rules, apart.options).items,
                       scene.all_impacts(bullets, rules, apart.brute()).items));
  CHECK(test::all_same(scene.near_misses(bullets, 1, apart.options),
                       scene.near_misses(bullets, 1, apart.brute())));
}

void check(const Scene& scene, bool moving, Random& random) {
  const std::vector<Sphere> spheres(scene.spheres().begin(), scene.spheres().end());
  const std::size_t n = test::sanitized() ? 70 : 200;  // more than the least that walk together
  check_paths(scene, test::make_rays(spheres, n, random), moving, random);
  check_points(scene, test::make_points(spheres, n / 4, random), moving, random);
  const test::MovingScene world{spheres, {scene.velocities().begin(), scene.velocities().end()}};
  check_bullets(scene, test::bullets_at(world, n / 2, random), random);
}

/// Spheres of a stack that come, go, change and move together or alone.
void edit(Scene& scene, bool moving, UpdateOptions::Rebuild rebuild, Random& random) {
  const UpdateOptions options{.rebuild = rebuild};
  const std::size_t n = scene.spheres().size();
  // Often a low id, as it may be the lowest of a stack.
  const std::int64_t one[]{static_cast<std::int64_t>(random.bits() % (random.one_in(2) ? 10 : n))};
  if (!scene.contains(one[0])) return;
  const Sphere sphere = scene.spheres()[static_cast<std::size_t>(one[0])];
  std::vector<Vec3> centers = test::centers_of(scene.spheres());
  switch (random.below(6)) {
    case 0:
      return scene.erase(one, options);
    case 1:
      return scene.set_enabled(one, false, options);
    case 2:
      return scene.set_radii(one, std::vector<double>{sphere.radius * 1.5}, options);
    case 3:
      return static_cast<void>(scene.insert(
          std::vector<Sphere>{sphere}, {.velocities = std::vector<Vec3>(moving ? 1 : 0), .update = options}));
    case 4:
      return static_cast<void>(
          scene.update(one, std::vector<Vec3>{sphere.center + random.in_cube(sphere.radius)}, {}, options));
    default:
      for (Vec3& center : centers) center = center + Vec3{sphere.radius, 0, 0};
      if (random.one_in(2)) centers[random.bits() % n] = sphere.center;
      scene.update(centers, {}, options);
  }
}

std::uint64_t candidates(const std::function<void(const QueryOptions&)>& ask) {
  QueryStats stats;
  QueryOptions options;
  options.stats = &stats;
  ask(options);
  return stats.candidates;
}

}  // namespace

TEST_CASE("the index answers as brute force does among stacks of equal spheres", "[query][stacks]") {
  for (std::uint64_t stream = 0; stream < test::fewer_in_repeats(40u); ++stream) {
    Random random(test::seed(), 900 + stream);
    const bool moving = stream % 2 == 1;
    const auto rebuild =
        random.one_in(3) ? UpdateOptions::Rebuild::in_background : UpdateOptions::Rebuild::never;
    INFO("stream " << stream);
    const Stacks stacks(static_cast<std::size_t>(random.whole(1, 5)), 400, random);
    SceneBuffer buffer(stacks.build(moving), {.keep = 2});
    for (int i = 0; i < 4; ++i) {
      check(*buffer.current(), moving, random);
      for (int k = 0; k < 3; ++k) buffer.change([&](Scene& scene) { edit(scene, moving, rebuild, random); });
    }
  }
}

TEST_CASE("a bullet that touches stacks at one instant meets all spheres of them", "[query][stacks]") {
  const Sphere places[]{{{-1, 0, 0}, 1}, {{1, 0, 0}, 1}, {{0, -3, 0}, 1}};
  std::vector<Sphere> spheres;
  for (std::size_t i = 0; i < 3000; ++i) spheres.push_back(places[i % 3]);
  const Scene scene = Scene::build(spheres);
  QueryOptions brute;
  brute.search = Search::brute_force;
  for (const double gravity : {0.0, -0.5}) {
    // It touches the first two places at time 5, or 4 if it falls.
    const Bullet bullet{{0, 5 - 6 * gravity, 0}, {0, -1, 0}};
    const FlightOptions rules{.bounces = 400, .gravity = {0, gravity, 0}};
    const std::vector<Impact> found = scene.all_impacts(bullet, rules),
                              expected = scene.all_impacts(bullet, rules, brute);
    CHECK(std::ranges::count(found, found[0].time, &Impact::time) > 100);
    CHECK(test::all_same(found, expected));
  }
}

TEST_CASE("the first of many equal spheres is found by a few visits", "[query][stacks]") {
  constexpr std::size_t n = 20'000;
  constexpr std::uint64_t few = 500;  // some of each of the root's grandchildren
  Random random(test::seed());
  const Sphere sphere{random.in_cube(5), random.between(0.5, 2)};
  std::vector<Sphere> spheres(n, sphere);
  const Ray ray{sphere.center - Vec3{10, 0.1, 0.2}, {1, 0, 0}}, out{sphere.center, {1, 2, 3}};
  const Bullet bullet{ray.origin, {10, 0, 0}, 0.1};
  const FlightOptions falls{.gravity = {0, 0, -0.01}};
  for (const bool moving : {false, true}) {
    INFO("moving " << moving);
    const std::vector<Vec3> velocities(moving ? n : 0, Vec3{0.01, 0.02, 0});
    const std::vector<std::int64_t> lowest{0};
    Scene scene = Scene::build(spheres, {.velocities = velocities, .horizon = {0, 10}});
    const auto check_few = [&](std::int64_t first) {
      CHECK(candidates([&](const auto& o) { CHECK(scene.first_hit(ray, o).sphere == first); }) < few);
      CHECK(candidates([&](const auto& o) { CHECK(scene.first_hit(out, o).sphere == first); }) < few);
      CHECK(candidates([&](const auto& o) { CHECK(scene.nearest(ray.origin, o).sphere == first); }) < few);
      CHECK(candidates([&](const auto& o) {
              CHECK(scene.nearest(std::span(&ray.origin, 1), 8, o)[0].sphere == first);
            }) < few);
      CHECK(candidates([&](const auto& o) { CHECK(scene.first_impact(bullet, {}, o).sphere == first); }) <
            few);
      CHECK(candidates([&](const auto& o) { CHECK(scene.first_impact(bullet, falls, o).sphere == first); }) <
            few);
      const std::vector<Ray> rays(100, ray);
      CHECK(candidates([&](const auto& o) { CHECK(scene.first_hit(rays, o)[99].sphere == first); }) <
            100 * few);
    };
    check_few(0);
    scene.erase(lowest);
    check_few(1);
    const std::vector<std::int64_t> some{7, 1000, 9'999};
    scene.update(some, std::vector<Vec3>(3, sphere.center + Vec3{0, 0, 10}));
    check_few(1);
    const std::vector<Vec3> together(n, sphere.center);
    scene.update(together);
    check_few(1);
    std::vector<Vec3> apart = together;
    for (Vec3& center : apart) center = center + random.in_cube(50);
    const UpdateOptions never{.rebuild = UpdateOptions::Rebuild::never};
    scene.update(apart, {}, never);
    scene.update(together, {}, never);
    check_few(1);
  }
}

TEST_CASE("spheres that jump to another stack leave both stacks whole", "[query][stacks]") {
  constexpr std::size_t n = 4000, half = n / 2;
  const UpdateOptions never{.rebuild = UpdateOptions::Rebuild::never};
  std::vector<Sphere> spheres(n, {{0, 0, 0}, 1});
  std::vector<std::int64_t> gone;
  for (std::size_t i = half; i < n; ++i) spheres[i].center = {0, 0, 9};
  for (std::size_t i = half; i < n; i += 8) gone.push_back(static_cast<std::int64_t>(i));
  Scene scene = Scene::build(spheres);
  scene.erase(gone, never);  // leaves room
  std::vector<Vec3> centers = test::centers_of(spheres);
  for (std::size_t i = 1; i < half; i += half / 20) centers[i] = {0, 0, 9};
  scene.update(centers, {}, never);
  const Ray low{{-9, 0, 0}, {1, 0, 0}}, high{{-9, 0, 9}, {1, 0, 0}};
  CHECK(candidates([&](const auto& o) { CHECK(scene.first_hit(low, o).sphere == 0); }) < 100);
  CHECK(candidates([&](const auto& o) { CHECK(scene.first_hit(high, o).sphere == 1); }) < 100);
}

}  // namespace sphaera
