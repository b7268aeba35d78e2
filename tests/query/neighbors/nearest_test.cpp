/// \file `nearest` and `within` in sorted batches, in which the answer to one point bounds the search for the
/// next: the answers are those of exact comparisons with all spheres.

#include <sphaera/scene.hpp>

#include <algorithm>
#include <exact/predicates/decide.hpp>
#include <exact/roots/distance.hpp>
#include <numeric>
#include <query/batch/ray_order.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scene_queries.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::SceneKind, test::Random;

/// The k nearest of these spheres.
std::vector<Neighbor> sorted_neighbors(const std::vector<Sphere>& spheres, std::vector<std::uint32_t> ids,
                                       const Vec3& point, std::size_t k) {
  exact::Counts counts;
  const auto nearer = [&](std::uint32_t a, std::uint32_t b) {
    const int order = exact::compare_distances(point, spheres[a], spheres[b], counts);
    return order != 0 ? order < 0 : a < b;
  };
  const std::size_t found = std::min(k, ids.size());
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(found), ids.end(), nearer);
  std::vector<Neighbor> neighbors(k);
  for (std::size_t j = 0; j < found; ++j)
    neighbors[j] = {exact::signed_distance(point, spheres[ids[j]]), ids[j]};
  return neighbors;
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
    std::vector<std::uint32_t> ids(spheres.size());
    std::iota(ids.begin(), ids.end(), 0u);
    for (const std::size_t k : test::one_in_short_runs<std::size_t>({1, 8, 40})) {
      INFO(test::name(scene_kind) << ", k " << k);
      const std::vector<Neighbor> found = scene.nearest(points, k);
      std::size_t different = 0;
      for (std::size_t i = 0; i < points.size();
           i += 1 + points.size() / test::fewer_unless_all(std::size_t{100})) {
        const std::vector<Neighbor> expected = sorted_neighbors(spheres, ids, points[i], k);
        different += !test::all_same(std::span(found).subspan(i * k, k), expected);
      }
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
      for (std::size_t i = 0; i < points.size(); i += test::sanitized() ? 370 : 37) {
        std::vector<std::uint32_t> ids(spheres.size());
        std::iota(ids.begin(), ids.end(), 0u);
        std::erase_if(ids, [&](std::uint32_t id) { return std::int64_t{id} == ignored[i]; });
        different +=
            !test::all_same(std::span(found).subspan(i * k, k), sorted_neighbors(spheres, ids, points[i], k));
      }
      CHECK(different == 0);
    }
  }
}

TEST_CASE("more neighbors than spheres, and none", "[query][neighbors]") {
  Random random(test::seed());
  const std::vector<Sphere> spheres = test::make_spheres(SceneKind::nested, 30, random);
  const Scene scene = Scene::build(spheres);
  const std::vector<Vec3> points = test::make_points(spheres, 50, random);
  std::vector<std::uint32_t> ids(spheres.size());
  std::iota(ids.begin(), ids.end(), 0u);
  for (const std::size_t k : {0, 29, 30, 31, 200}) {
    const std::vector<Neighbor> found = scene.nearest(points, k);
    REQUIRE(found.size() == points.size() * k);
    for (std::size_t i = 0; i < points.size(); ++i)
      REQUIRE(
          test::all_same(std::span(found).subspan(i * k, k), sorted_neighbors(spheres, ids, points[i], k)));
  }
}

TEST_CASE("ordered batches of balls find what touches them", "[query][neighbors]") {
  Random random(test::seed());
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    INFO(test::name(scene_kind));
    const std::vector<Sphere> spheres = test::make_spheres(scene_kind, enough_spheres, random);
    const std::vector<Ball> balls = test::make_balls(spheres, enough_points, random);
    const IdLists found = Scene::build(spheres).within(balls);
    exact::Counts counts;
    std::size_t different = 0;
    for (std::size_t i = 0; i < balls.size(); i += 7) {
      std::vector<std::int64_t> expected;
      for (std::size_t s = 0; s < spheres.size(); ++s) {
        if (exact::sign_gap(balls[i], {spheres[s].center, spheres[s].radius}, counts) <= 0)
          expected.push_back(static_cast<std::int64_t>(s));
      }
      different += !std::ranges::equal(found[i], expected);
    }
    CHECK(different == 0);
  }
}

}  // namespace sphaera
