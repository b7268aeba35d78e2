/// \file Points and balls that lie close together are answered from spheres gathered once for all of them:
/// the answers are those of brute force.

#include <query/neighbors/point_groups.hpp>

#include <algorithm>
#include <exact/roots/distance.hpp>
#include <scene/state.hpp>
#include <sphaera/scene.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scene_queries.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Random, test::SceneKind;

index::FramePlan plan_of(const std::vector<Sphere>& spheres) {
  return index::plan_frames({{spheres}}, index::scene_bounds_of({{spheres}}));
}

/// Runs of 1 to 80 points: at one place, along a random walk, or about one place; steps of all sizes.
std::vector<Vec3> runs_of_points(const std::vector<Sphere>& spheres, std::size_t n, Random& random) {
  std::vector<Vec3> points;
  while (points.size() < n) {
    Vec3 at = test::make_points(spheres, 1, random).front();
    const Sphere& near = spheres[random.below(spheres.size())];
    const double size = std::sqrt(dot(at - near.center, at - near.center)) * std::exp2(random.whole(-20, 0));
    const std::size_t length = 1 + random.below(80);
    const int run_kind = random.whole(0, 2);
    for (std::size_t i = 0; i < length && points.size() < n; ++i) {
      const Vec3 next = run_kind == 0 ? at : at + random.in_cube(size);
      if (!base::valid(next)) break;
      points.push_back(next);
      if (run_kind == 1) at = next;
    }
    if (random.one_in(4)) points.push_back(near.center);
  }
  points.resize(n);
  return points;
}

/// The spheres, of which up to a tenth become copies of others.
std::vector<Sphere> with_equal_spheres(std::vector<Sphere> spheres, Random& random) {
  for (std::size_t i = 0; i < spheres.size() / 10; ++i)
    spheres[random.below(spheres.size())] = spheres[random.below(spheres.size())];
  return spheres;
}

void check_points(const Scene& scene, std::span<const Vec3> points, std::size_t k, QueryOptions options) {
  INFO("k " << k);
  const std::vector<Neighbor> found = scene.nearest(points, k, options);
  options.search = Search::brute_force;
  CHECK(test::all_same(found, scene.nearest(points, k, options)));
}

void check_balls(const Scene& scene, std::span<const Ball> balls, QueryOptions options) {
  const IdLists found = scene.within(balls, options);
  const std::vector<std::uint64_t> counts = scene.count_within(balls, options);
  const NeighborLists neighbors = scene.neighbors_within(balls, options);
  options.search = Search::brute_force;
  const IdLists expected = scene.within(balls, options);
  CHECK(found.offsets == expected.offsets);
  CHECK(found.items == expected.items);
  CHECK(counts == scene.count_within(balls, options));
  CHECK(test::all_same(neighbors.items, scene.neighbors_within(balls, options).items));
}

std::vector<Ball> balls_about(const std::vector<Vec3>& points, const std::vector<Sphere>& spheres,
                              Random& random) {
  std::vector<Ball> balls;
  double radius = 0;
  for (const Vec3& point : points) {
    if (random.one_in(20)) {
      const Sphere& s = spheres[random.below(spheres.size())];
      radius = std::max(0.0, exact::signed_distance(point, s)) * (random.one_in(2) ? 1 : random.unit());
    }
    balls.push_back({point, base::valid(Ball{point, radius}) ? radius : 0});
  }
  return balls;
}

}  // namespace

TEST_CASE("runs of points and balls have the answers of brute force", "[query][neighbors]") {
  Random random(test::seed());
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    if (test::is_exact_throughout(scene_kind)) continue;  // minutes; smaller ones are in nearest_test.cpp
    INFO(test::name(scene_kind));
    const std::vector<Sphere> spheres =
        with_equal_spheres(test::make_spheres(scene_kind, 500, random), random);
    const Scene scene = Scene::build(spheres);
    const std::vector<Vec3> points = runs_of_points(spheres, test::fewer_in_repeats(800u), random);
    check_points(scene, points, 1, {});
    check_points(scene, points, 2 + random.below(64), {});
    check_balls(scene, balls_about(points, spheres, random), {});
  }
}

TEST_CASE("runs of points and balls keep to layers, ignored and enabled spheres", "[query][neighbors]") {
  Random random(test::seed());
  const std::vector<Sphere> spheres =
      with_equal_spheres(test::make_spheres(SceneKind::crowd, 2000, random), random);
  std::vector<std::uint8_t> layers;
  for (std::size_t i = 0; i < spheres.size(); ++i)
    layers.push_back(static_cast<std::uint8_t>(random.below(3)));
  Scene scene = Scene::build(spheres, {.layers = layers});
  std::vector<std::int64_t> disabled;
  for (std::int64_t id = 0; id < 2000; id += random.whole(1, 40)) disabled.push_back(id);
  scene.set_enabled(disabled, false);
  const std::vector<Vec3> points = runs_of_points(spheres, test::fewer_in_repeats(1500u), random);
  const std::vector<Ball> balls = balls_about(points, spheres, random);
  std::vector<std::int64_t> ignored;
  for (const Neighbor& nearest : scene.nearest(points))
    ignored.push_back(random.one_in(2) ? -1 : nearest.sphere);
  for (const QueryOptions& options :
       {QueryOptions{.layers = 5}, QueryOptions{.layers = 2, .ignore = ignored}}) {
    check_points(scene, points, 5, options);
    check_balls(scene, balls, options);
  }
  QueryOptions brute{.layers = 3, .search = Search::brute_force};
  for (const std::size_t k : {1, 9})
    CHECK(test::all_same(scene.nearest_to_spheres(k, {.layers = 3}), scene.nearest_to_spheres(k, brute)));
}

TEST_CASE("a group's expected search radius may end among spheres at almost the same distance",
          "[query][neighbors]") {
  // The spheres lie about `place`, at almost the same distance. Every second point is nearer to some of them,
  // so that the expected search radius shrinks until it ends, for the points at `place`, where floats cannot
  // tell the spheres apart.
  Random random(test::seed());
  const Vec3 place{300, 400, -500};
  std::vector<Sphere> spheres{{-1 * place, 1}};
  while (spheres.size() < 118) {
    const Vec3 to = random.in_cube(1);
    if (const double length = std::sqrt(dot(to, to)); length > 0.1)
      spheres.push_back({place + ((1.01 + 1e-7 * random.unit()) / length) * to, 0.01});
  }
  REQUIRE(index::SceneIndex({spheres}, plan_of(spheres), {}).can_gather());
  const Scene scene = Scene::build(spheres);
  int wrong = 0;
  for (int round = 0; round < 10; ++round) {
    std::vector<Vec3> points(query::least_points_to_order - 1, place);
    for (std::size_t i = 1; i < points.size(); i += 2) points[i].x += 0.02 + 0.01 * random.unit();
    const std::vector<Neighbor> found = scene.nearest(points, 3, {.threads = 1, .grain = points.size()});
    const std::vector<Neighbor> expected =
        scene.nearest(std::span(points).first(1), 3, {.search = Search::brute_force});
    for (std::size_t i = 0; i < points.size(); i += 2)
      wrong += !test::all_same(std::span(found).subspan(3 * i, 3), expected);
  }
  CHECK(wrong == 0);
}

TEST_CASE("a walk gathers all spheres within the search radius, in order of id", "[query][neighbors]") {
  Random random(test::seed());
  const std::size_t n = test::sanitized() ? 3000 : 100'000;  // three bytes of ids differ
  const std::vector<Sphere> spheres = test::make_spheres(SceneKind::uniform, n, random);
  const index::SceneIndex scene_index({spheres}, plan_of(spheres), {});
  REQUIRE(scene_index.can_gather());
  struct {
    bool layers = false;
    static bool admits(std::uint32_t id) { return id % 3 != 0; }
  } filter;
  const auto nearby = std::make_unique<query::NearbySpheres>();
  int gathered = 0, refused = 0, lost = 0, unordered = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3 point = test::make_points(spheres, 1, random).front();
    const double search_radius =
        exact::signed_distance(point, spheres[random.below(n)]) * std::exp2(random.whole(-6, 1));
    filter.layers = random.one_in(2);
    if (!nearby->gather(scene_index, point, search_radius, filter, query::NearbySpheres::Order::by_id)) {
      ++refused;
      continue;
    }
    ++gathered;
    std::vector<std::uint32_t> ids;
    for (std::size_t block = 0; block < nearby->blocks(); ++block)
      for (const std::uint32_t id : nearby->ids(block)) ids.push_back(id);
    unordered += !std::ranges::is_sorted(ids);  // empty lanes have the greatest id
    for (std::uint32_t id = 0; id < n; ++id) {
      if (exact::signed_distance(point, spheres[id]) > search_radius || (filter.layers && id % 3 == 0))
        continue;
      lost += !std::ranges::binary_search(ids, id);
    }
  }
  INFO("gathered " << gathered << ", refused " << refused);
  CHECK(gathered > 20);
  CHECK(refused > 20);
  CHECK(lost == 0);
  CHECK(unordered == 0);
}

}  // namespace sphaera
