/// \file `nearest` and `within` in sorted batches, in which the answer to one point bounds the search for the
/// next: the answers are those of the oracle.

#include <sphaera/scene.hpp>

#include <algorithm>
#include <query/batch/ray_order.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scene_queries.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/oracle/scene.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::SceneKind, test::Random;

/// Are these the nearest spheres by the oracle, and their distances within the promised 1 ulp?
bool is_right(std::span<const Neighbor> found, const oracle::View& view, const Vec3& point) {
  const std::vector<std::int64_t> expected = oracle::nearest(view, point, found.size());
  for (std::size_t j = 0; j < found.size(); ++j) {
    if (j >= expected.size()) {
      if (!test::same(found[j], Neighbor{})) return false;
      continue;
    }
    const oracle::Real distance = oracle::signed_distance(point, view.spheres[expected[j]]);
    if (found[j].sphere != expected[j] || oracle::error_in_half_ulps(found[j].distance, distance) > 2)
      return false;
  }
  return true;
}

/// A quarter are points at the edge of an answer (make_points), the others lie near one of those.
std::vector<Vec3> close_points(const std::vector<Sphere>& spheres, std::size_t n, Random& random) {
  std::vector<Vec3> points = test::make_points(spheres, n / 4, random);
  while (points.size() < n) {
    const Vec3 from = points[static_cast<std::size_t>(random.whole(0, static_cast<int>(n / 4) - 1))];
    const Vec3 moved = (1 + 1e-3 * random.unit()) * from;
    points.push_back(base::valid(moved) ? moved : from);
  }
  return points;
}

constexpr std::size_t enough_points = query::least_points_to_order + 100,
                      enough_spheres = query::least_spheres_for_points + 20;

}  // namespace

TEST_CASE("ordered batches find the nearest spheres in exact order", "[query][neighbors]") {
  Random random(test::seed());
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    if (test::is_exact_throughout(scene_kind))
      continue;  // minutes; property/answers_test.cpp has smaller ones
    std::vector<Sphere> spheres = test::make_spheres(scene_kind, enough_spheres, random);
    for (std::size_t i = 0; i < 60; ++i) spheres[enough_spheres - 1 - i] = spheres[i % 20];  // ties
    const std::vector<Vec3> points = close_points(spheres, enough_points, random);
    const Scene scene = Scene::build(spheres);
    for (const std::size_t k : test::one_in_short_runs<std::size_t>({1, 8, 40})) {
      INFO(test::name(scene_kind) << ", k " << k);
      const std::vector<Neighbor> found = scene.nearest(points, k);
      std::size_t different = 0;
      for (std::size_t i = 0; i < points.size();
           i += 1 + points.size() / test::fewer_unless_all(std::size_t{100}))
        different += !is_right(std::span(found).subspan(i * k, k), {spheres}, points[i]);
      CHECK(different == 0);
    }
  }
}

TEST_CASE("ordered batches of points ignore what each of them ignores", "[query][neighbors]") {
  Random random(test::seed());
  for (const SceneKind scene_kind :
       test::one_in_short_runs({SceneKind::crowd, SceneKind::nested, SceneKind::peopled})) {
    INFO(test::name(scene_kind));
    const std::vector<Sphere> spheres = test::make_spheres(scene_kind, enough_spheres, random);
    const std::vector<Vec3> points = close_points(spheres, enough_points, random);
    const Scene scene = Scene::build(spheres);
    const std::vector<Neighbor> nearest = scene.nearest(points);
    std::vector<std::int64_t> ignored(points.size(), -1);
    for (std::size_t i = 0; i < points.size(); i += 2) ignored[i] = nearest[i].sphere;
    for (const std::size_t k : test::one_in_short_runs<std::size_t>({1, 5, 20})) {
      const std::vector<Neighbor> found = scene.nearest(points, k, {.ignore = ignored});
      std::size_t different = 0;
      for (std::size_t i = 0; i < points.size(); i += test::sanitized() ? 370 : 37)
        different += !is_right(std::span(found).subspan(i * k, k), {.spheres = spheres, .ignore = ignored[i]},
                               points[i]);
      CHECK(different == 0);
    }
  }
}

TEST_CASE("more neighbors than spheres, and none", "[query][neighbors]") {
  Random random(test::seed());
  const std::vector<Sphere> spheres = test::make_spheres(SceneKind::nested, 30, random);
  const Scene scene = Scene::build(spheres);
  const std::vector<Vec3> points = test::make_points(spheres, 50, random);
  for (const std::size_t k : {0, 29, 30, 31, 200}) {
    const std::vector<Neighbor> found = scene.nearest(points, k);
    REQUIRE(found.size() == points.size() * k);
    for (std::size_t i = 0; i < points.size(); ++i)
      REQUIRE(is_right(std::span(found).subspan(i * k, k), {spheres}, points[i]));
  }
}

TEST_CASE("ordered batches of balls find what touches them", "[query][neighbors]") {
  Random random(test::seed());
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    INFO(test::name(scene_kind));
    const std::vector<Sphere> spheres = test::make_spheres(scene_kind, enough_spheres, random);
    const std::vector<Ball> balls = test::make_balls(spheres, enough_points, random);
    const IdLists found = Scene::build(spheres).within(balls);
    std::size_t different = 0;
    for (std::size_t i = 0; i < balls.size(); i += 7)
      different += !std::ranges::equal(found[i], oracle::within({spheres}, balls[i]));
    CHECK(different == 0);
  }
}

}  // namespace sphaera
