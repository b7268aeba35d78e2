/// \file Rays of a batch that walk the index together find what brute force finds.

#include <cmath>
#include <exact/numbers/dispatch.hpp>
#include <index/boxes/lanes.hpp>
#include <index/tree/path_group.hpp>
#include <numbers>
#include <scene/state.hpp>
#include <tools/workload/workload.hpp>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scene_queries.hpp>
#include <tests/instruction_set.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

constexpr std::size_t group = index::PathGroup::most;

struct Answers {
  std::vector<std::uint8_t> blocked;
  std::vector<Hit> first;

  Answers(const Scene& scene, std::span<const Ray> rays, const QueryOptions& options)
      : blocked(scene.blocked(rays, options)), first(scene.first_hit(rays, options)) {}
};

void check(const Scene& scene, std::span<const Ray> rays, QueryOptions options = {}) {
  const Answers found(scene, rays, options);
  {
    const test::Baseline baseline;
    const Answers plain(scene, rays, options);
    REQUIRE(found.blocked == plain.blocked);
    REQUIRE(test::all_same(found.first, plain.first));
  }
  options.search = Search::brute_force;
  const Answers expected(scene, rays, options);
  REQUIRE(found.blocked == expected.blocked);
  REQUIRE(test::all_same(found.first, expected.first));
}

/// Spheres whose boxes contain a part of the x axis: a ray along it enters all boxes and meets only the last
/// two spheres, one at either end. The others lie denser towards 0: there the index is deep, and a ray has
/// many nodes to visit at once.
std::vector<Sphere> about_an_axis(std::size_t n, test::Random& random) {
  constexpr double radius = 0.01;
  std::vector<Sphere> spheres;
  for (std::size_t i = 0; i < n; ++i) {
    const double quarter = static_cast<double>(random.bits() % 4),
                 angle = (quarter + 0.5) * std::numbers::pi / 2, aside = 1.01 * radius;
    spheres.push_back(
        {{random.log_uniform(1e-2, 1e3), aside * std::cos(angle), aside * std::sin(angle)}, radius});
  }
  spheres.push_back({{-2 * radius, 0, 0}, radius}), spheres.push_back({{1001, 0, 0}, radius});
  return spheres;
}

void check_lanes() {
  index::LeafLanes lanes;
  for (int lane = 0; lane < 8; ++lane) lanes[lane] = static_cast<float>(lane + 1);
  for (index::LaneSet set = 0; set <= index::all_lanes; ++set) {
    std::vector<float> chosen, written(8), backwards(8);
    for (index::LaneSet lane = 0; lane < 8; ++lane)
      if (set >> lane & 1) chosen.push_back(static_cast<float>(lane + 1));
    exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
      index::write_lanes<decltype(arithmetic)>(written.data(), lanes, index::lane_lists.ascending[set]);
      index::write_lanes<decltype(arithmetic)>(backwards.data(), lanes, index::lane_lists.descending[set]);
    });
    REQUIRE(std::equal(chosen.begin(), chosen.end(), written.begin()));
    REQUIRE(std::equal(chosen.rbegin(), chosen.rend(), backwards.begin()));
  }
}

}  // namespace

TEST_CASE("rays that walk together find what brute force finds", "[query]") {
  test::Random random(test::seed());
  for (const test::SceneKind scene_kind : test::kinds_to_try()) {
    CAPTURE(name(scene_kind));
    const std::vector<Sphere> spheres = test::make_spheres(scene_kind, test::fewer_in_repeats(500), random);
    const std::vector<Ray> rays = test::make_rays(spheres, 4 * group + 1, random);
    for (const BuildQuality quality : {BuildQuality::balanced, BuildQuality::compact}) {
      const Scene scene = Scene::build(spheres, {.quality = quality});
      for (const std::size_t n : {group - 1, group, group + 1, 2 * group + 9, 4 * group + 1})
        check(scene, std::span(rays).first(n));
    }
  }
}

TEST_CASE("rays that walk together ignore, see layers and skip as rays alone", "[query]") {
  test::Random random(test::seed());
  constexpr std::size_t n = 1000;
  for (const workload::Kind kind : {workload::Kind::crowd, workload::Kind::belt, workload::Kind::uniform}) {
    std::vector<std::uint8_t> layers(n);
    for (std::uint8_t& layer : layers) layer = static_cast<std::uint8_t>(random.bits() % 3);
    const Scene scene = Scene::build(workload::spheres(kind, n, test::seed()), {.layers = layers});
    std::vector<Ray> rays = workload::rays(kind, 3 * group, n, test::seed());
    std::vector<std::int64_t> ignore(rays.size());
    const std::vector<Hit> first = scene.first_hit(rays);
    for (std::size_t i = 0; i < rays.size(); ++i) ignore[i] = i % 2 ? first[i].sphere : -1;
    check(scene, rays, {.ignore = ignore});
    check(scene, rays, {.layers = 5, .ignore = ignore});
    for (std::size_t i = 0; i < rays.size(); i += 5) rays[i].direction = {};
    for (std::size_t i = 1; i < rays.size(); i += 5) rays[i].t_max = rays[i].t_min - 1;
    std::vector<RowStatus> statuses(rays.size());
    check(scene, rays, {.ignore = ignore, .statuses = statuses});
  }
}

TEST_CASE("rays and bullets in the crowds of a planet walk together, crowd by crowd or in turns", "[query]") {
  constexpr std::size_t crowds = 6, count = 600;  // one ray of each crowd in turn
  const std::size_t n = test::sanitized() ? 300 : 1200;
  const workload::Generator generator(workload::Kind::planet, n, test::seed());
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::planet, n, test::seed());
  const std::vector<Ray> in_turns = workload::rays(workload::Kind::planet, count, n, test::seed());
  std::vector<Ray> by_crowd;
  for (std::size_t crowd = 0; crowd < crowds; ++crowd)
    for (std::size_t i = crowd; i < count; i += crowds) by_crowd.push_back(in_turns[i]);
  for (const bool moving : {false, true}) {
    std::vector<Vec3> velocities;
    for (std::size_t i = 0; moving && i < n; ++i) velocities.push_back(generator.velocity(i));
    Scene scene = Scene::build(spheres, {.velocities = velocities, .horizon = Horizon{0, 1}});
    REQUIRE_FALSE(query::SceneAccess::own(scene)->scene_index->frame_balls().empty());
    for (const auto& rays : {in_turns, by_crowd}) {
      check(scene, rays);
      std::vector<Bullet> bullets;
      for (const Ray& ray : rays)
        bullets.push_back({ray.origin, ray.direction, bullets.size() % 3 ? 0 : 0.05, 0, ray.t_max});
      for (const Vec3& gravity : {Vec3{}, Vec3{0, 0, -1e-3}}) {
        const FlightOptions flight{.bounces = 2, .gravity = gravity};
        const QueryOptions plain{.search = Search::brute_force};
        REQUIRE(
            test::all_same(scene.first_impact(bullets, flight), scene.first_impact(bullets, flight, plain)));
        REQUIRE(test::all_same(scene.all_impacts(bullets, flight).items,
                               scene.all_impacts(bullets, flight, plain).items));
      }
    }
  }
}

TEST_CASE("bullets far wider than the scene, among thin ones", "[query]") {
  test::Random random(test::seed());
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::crowd, 500, test::seed());
  const Scene scene = Scene::build(spheres);
  std::vector<Bullet> bullets;
  for (const Ray& ray : workload::rays(workload::Kind::crowd, 5 * group, 500, test::seed())) {
    const double radius = random.one_in(3) ? random.log_uniform(1e5, 1e12) : 0.05;
    const Vec3 origin =
        radius > 1 ? (radius * random.between(0.999, 1.001)) * random.direction() : ray.origin;
    bullets.push_back({origin, radius > 1 ? (-0.01) * origin : ray.direction, radius, 0, 3});
  }
  for (const Vec3& gravity : {Vec3{}, Vec3{0, 0, -9.81}}) {
    const FlightOptions flight{.bounces = 1, .gravity = gravity};
    const QueryOptions plain{.search = Search::brute_force};
    REQUIRE(test::all_same(scene.first_impact(bullets, flight), scene.first_impact(bullets, flight, plain)));
    REQUIRE(test::all_same(scene.all_impacts(bullets, flight).items,
                           scene.all_impacts(bullets, flight, plain).items));
  }
}

TEST_CASE("a ray that enters more boxes than a group has room for", "[query]") {
  test::Random random(test::seed());
  for (const BuildQuality quality : {BuildQuality::fast, BuildQuality::balanced, BuildQuality::compact}) {
    const Scene scene = Scene::build(about_an_axis(8'000, random), {.quality = quality});
    std::vector<Ray> rays;
    for (std::size_t i = 0; i < group + 6; ++i) {
      const double off = i % 7 == 0 ? 2e-4 * static_cast<double>(i % 5) : 0;  // some meet other spheres
      rays.push_back(i % 2 ? Ray{{0, off, off}, {1, 0, 0}} : Ray{{1000.5, off, off}, {-1, 0, 0}});
    }
    check(scene, rays);
  }
}

TEST_CASE("chosen lanes are written in both orders", "[query]") {
  check_lanes();
  const test::Baseline baseline;
  check_lanes();
}

}  // namespace sphaera
