/// \file Queries at an instant of the scene's time: they see moving spheres where these are then.

#include <sphaera/scene.hpp>

#include <algorithm>
#include <cmath>
#include <exact/predicates/at_instant.hpp>
#include <exact/predicates/counts.hpp>
#include <exact/roots/distance.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/refusal.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::AllRows, test::Bytes, test::differing, test::Query, test::Questions;
using test::SceneKind, test::Random, test::refusal;

constexpr Horizon horizon{-2, 4};
constexpr double instants[] = {-2, -1, -0.5, 0, 0.25, 1, 2, 4};

double largest(const Vec3& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

Vec3 snapped(const Vec3& v, double grid) {
  return {std::round(v.x / grid) * grid, std::round(v.y / grid) * grid, std::round(v.z / grid) * grid};
}

/// A scene whose spheres have centers that are doubles at each of the instants.
struct GridWorld {
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;
  Scene scene;

  GridWorld(SceneKind scene_kind, std::size_t n, Random& random)
      : spheres(test::make_spheres(scene_kind, n, random)),
        velocities(test::make_velocities(spheres, random)) {
    for (std::size_t i = 0; i < n; ++i) {
      Vec3 &c = spheres[i].center, &v = velocities[i];
      if (v == Vec3{}) continue;
      const double size = std::max(largest(c), 8 * largest(v));
      const double grid = std::exp2(std::ilogb(size) - 45);
      if (!(grid > 0x1p-1000)) {
        v = {};
        continue;
      }
      c = snapped(c, grid), v = snapped(v, 4 * grid);
    }
    scene = Scene::build(spheres, {.velocities = velocities, .horizon = horizon});
  }
  std::vector<Sphere> at(double time) const {
    std::vector<Sphere> there = spheres;
    for (std::size_t i = 0; i < there.size(); ++i) there[i].center = spheres[i].center + time * velocities[i];
    return there;
  }
};

/// The answers of all queries that can be asked at an instant. `times` has the instant of each query, or is
/// empty.
AllRows answers(const Scene& scene, const Questions& q, const std::vector<double>& times, Search search) {
  AllRows rows;
  for (const Query* query : test::every_query()) {
    if (query->refuses.times) continue;
    rows[query] = query->rows(scene, q, query->fitting(scene, q, {.times = times, .search = search}));
  }
  return rows;
}

/// The names of the queries whose answers are not near the expected ones (see Bytes::is_near).
std::string far_from(const AllRows& expected, const AllRows& found) {
  std::string names = found.size() == expected.size() ? "" : "other queries";
  for (const auto& [query, rows] : found)
    if (rows.empty() || !std::ranges::equal(rows, expected.at(query), &Bytes::is_near))
      names += " " + query->name;
  return names;
}

/// Is each query, asked alone at an instant, near the answer of a scene at rest?
bool singles_are_near(const Scene& scene, const Scene& rest, const Questions& q, double instant) {
  bool near = true;
  for (const Query* query : test::every_query())
    for (std::size_t i = 0; !query->refuses.times && i < query->count(scene, q); ++i)
      near &= query->alone(scene, q, i, {.times = {&instant, 1}}).is_near(query->alone(rest, q, i));
  return near;
}

}  // namespace

TEST_CASE("queries at a time have the answers of a scene whose spheres stand where they are then",
          "[query]") {
  Random random(test::seed());
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    for (int round = 0; round < test::fewer_unless_all(6); ++round) {
      const GridWorld world(scene_kind, static_cast<std::size_t>(random.whole(1, 80)), random);
      for (const double instant : instants) {
        INFO(test::name(scene_kind) << ", time " << instant);
        const std::vector<Sphere> there = world.at(instant);
        const Scene rest = Scene::build(there);
        Questions q = test::draw_questions(there, 12, 12, random);
        q.k = random.one_in(2) ? 3 : 20;
        const std::vector<double> times(q.rays.size() + 100, instant);
        const AllRows expected = answers(rest, q, {}, Search::index);
        CHECK(far_from(expected, answers(world.scene, q, times, Search::index)) == "");
        CHECK(far_from(expected, answers(world.scene, q, times, Search::brute_force)) == "");
        CHECK(singles_are_near(world.scene, rest, q, instant));
      }
    }
  }
}

TEST_CASE("at any time the index finds what brute force finds", "[query]") {
  Random random(test::seed());
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    for (int round = 0; round < test::fewer_unless_all(4); ++round) {
      INFO(test::name(scene_kind));
      const auto spheres =
          test::make_spheres(scene_kind, static_cast<std::size_t>(random.whole(1, 200)), random);
      const std::vector<Vec3> velocities = test::make_velocities(spheres, random);
      const Scene scene = Scene::build(spheres, {.velocities = velocities, .horizon = horizon});
      Questions q = test::draw_questions(spheres, 100, 100, random);
      q.k = random.one_in(2) ? 3 : 20;
      std::vector<double> times;
      for (std::size_t i = 0; i < 300; ++i) times.push_back(random.between(horizon.from, horizon.to));
      CHECK(differing(answers(scene, q, times, Search::index),
                      answers(scene, q, times, Search::brute_force)) == "");
    }
  }
}

TEST_CASE("the order of distances at a time, and the touch of a ball, are those of exact arithmetic",
          "[query]") {
  Random random(test::seed());
  exact::Counts counts;
  int ties = 0;
  for (int i = 0; i < test::fewer_in_repeats(20000); ++i) {
    const auto scene_kind = static_cast<SceneKind>(random.below(test::scene_kind_count));
    auto spheres = test::make_spheres(scene_kind, 2, random);
    std::vector<Vec3> velocities = test::make_velocities(spheres, random);
    if (random.one_in(50)) spheres[1] = spheres[0], velocities[1] = velocities[0];
    const double time = random.one_in(3) ? 0.5 * random.whole(-4, 8) : random.between(-2, 4);
    const exact::SphereAtInstant a{spheres[0], velocities[0], time}, b{spheres[1], velocities[1], time};
    const Vec3 x = random.one_in(2) ? a.center() + b.center() : test::make_points(spheres, 1, random)[0];
    const auto sight = [&](const exact::SphereAtInstant& s, double more) {
      oracle::Sight seen = oracle::sight(Segment{x, x}, s.sphere);
      for (int k = 0; k < 3; ++k)
        seen.l[static_cast<std::size_t>(k)] =
            seen.l[static_cast<std::size_t>(k)] - oracle::Dyadic(s.velocity[k]) * oracle::Dyadic(time);
      seen.r = seen.r + oracle::Dyadic(more);
      return seen;
    };
    const int order = oracle::compare_distances(sight(a, 0), sight(b, 0));
    REQUIRE(exact::compare_distances(x, a, b, counts) == order);
    ties += order == 0;
    // A ball that touches within ulps.
    const double gap = std::fabs(exact::signed_distance(x, a));
    const Ball ball{x, random.one_in(2) ? gap : std::nextafter(gap, random.one_in(2) ? 0 : infinity)};
    if (!(ball.radius <= 0x1p200)) continue;
    const oracle::Sight seen = sight(a, ball.radius);
    REQUIRE(exact::sign_gap(ball, a, counts) == oracle::sign_power(seen, 0));
  }
  CHECK(ties > 0);
  CHECK(ties < test::fewer_in_repeats(20000));
  CHECK(counts.double_double > 0);
  CHECK(counts.exact > 0);
}

TEST_CASE("times that a scene does not know are refused, and so are times for other queries", "[query]") {
  const std::vector<Sphere> spheres{{{0, 0, 0}, 1}, {{5, 0, 0}, 1}};
  const std::vector<Vec3> velocities{{1, 0, 0}, {0, 1, 0}};
  const Scene scene = Scene::build(spheres, {.velocities = velocities, .horizon = {1, 3}});
  const std::vector<Ray> rays(3, Ray{{0, 0, -5}, {0, 0, 1}});
  const auto at = [](const std::vector<double>& times) { return QueryOptions{.times = times}; };
  CHECK(scene.first_hit(rays, at({0, 1, 3}))[0].sphere == 0);  // time 0 is always valid
  CHECK(refusal([&] { (void)scene.first_hit(rays, at({1, 3.5, 2})); }).element == 1);
  CHECK(refusal([&] { (void)scene.blocked(rays, at({1, 2, 0.5})); }).element == 2);
  CHECK(refusal([&] { (void)scene.all_hits(rays, at({std::nan(""), 2, 0.5})); }).element == 0);
  CHECK(refusal([&] { (void)scene.first_hit(rays, at({1, 2})); }).message ==
        "`times` has 2 items for 3 queries; give none or one for each query");
  const std::vector<double> one{2}, late{7};
  CHECK(refusal([&] { (void)scene.first_hit(rays[0], {.times = late}); }).message ==
        "query 0 is at time 7, but the horizon of the scene goes from 1 to 3");
  CHECK(scene.nearest(Vec3{2, 0, 0}, {.times = one}).sphere == 0);
  const Questions questions = test::questions_along(rays, rays.size());
  for (const Query* query : test::every_query()) {
    INFO(query->name);
    const auto code = [&](const QueryOptions& options) {
      return refusal([&] { query->ask_alone(scene, questions, 0, options); }).code;
    };
    if (query->refuses.times) {
      CHECK(refusal([&] { query->ask(scene, questions, at({2, 2, 2})); }).code ==
            ErrorCode::invalid_argument);
      CHECK(code({.times = one}) == ErrorCode::invalid_argument);
    }
    CHECK(code({.times = one, .search = Search::embree}) == ErrorCode::invalid_argument);
  }
  const Scene rest = Scene::build(spheres);
  CHECK(rest.first_hit(rays[0], {.times = one}).sphere == 0);
  CHECK(rest.first_hit(rays[0], {.times = one, .search = Search::embree}).sphere == 0);
  CHECK(refusal([&] { (void)rest.first_hit(rays, at({1, infinity, 2})); }).element == 1);
}

}  // namespace sphaera
