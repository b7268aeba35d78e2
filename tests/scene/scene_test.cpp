/// \file Scenes as objects: empty, moved from, built from a vector that they take.

#include <sphaera/scene.hpp>
#include <tools/workload/workload.hpp>
#include <utility>

#include <tests/catch.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {

using test::refusal;

TEST_CASE("a scene that was moved from is empty and can be used again", "[scene]") {
  const std::vector<Sphere> spheres{{{0, 0, 5}, 1}};
  const Ray ray{{0, 0, 0}, {0, 0, 1}};
  Scene scene = Scene::build(spheres);
  Scene other = std::move(scene);
  CHECK(other.blocked(ray));
  // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
  CHECK(scene.spheres().empty());
  CHECK(scene.layers().empty());
  CHECK(scene.velocities().empty());
  CHECK(scene.info().spheres == 0);
  CHECK(!scene.blocked(ray));
  CHECK(scene.first_hit(ray).sphere == -1);
  CHECK(scene.all_hits(ray).empty());
  CHECK(scene.nearest(Vec3{}).sphere == -1);
  CHECK(scene.within(Ball{{}, 9}).empty());
  CHECK(scene.first_impact(Bullet{{}, {0, 0, 1}}).sphere == -1);
  CHECK(scene.starlight(Star::at({0, 0, 9}, 1), Observer{}).phase == EclipsePhase::lit);
  CHECK(!scene.update({}).rebuilt);
  CHECK(refusal([&] { scene.update(std::vector<Vec3>(1)); }).code == ErrorCode::invalid_argument);
  // NOLINTEND(bugprone-use-after-move)
  scene = std::move(other);
  CHECK(scene.blocked(ray));
}

TEST_CASE("a scene takes the memory of a vector of spheres", "[scene]") {
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::crowd, 1000, test::seed());
  const std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 1000, 1000, test::seed());
  std::vector<Sphere> given = spheres;
  const Sphere* const memory = given.data();
  Scene taken = Scene::build(std::move(given));
  CHECK(taken.spheres().data() == memory);
  CHECK(given.empty());  // NOLINT(bugprone-use-after-move): that is what is tested
  const Scene copied = Scene::build(spheres);
  CHECK(copied.spheres().data() != spheres.data());
  CHECK(test::all_same(taken.first_hit(rays), copied.first_hit(rays)));
  CHECK(taken.info().sphere_bytes >= copied.info().sphere_bytes);

  std::vector<Vec3> centers;
  for (const Sphere& sphere : spheres) centers.push_back(2 * sphere.center);
  Scene moved = Scene::build(spheres);
  taken.update(centers), moved.update(centers);
  CHECK(test::all_same(taken.first_hit(rays), moved.first_hit(rays)));
}

TEST_CASE("a few spheres are given in braces", "[scene]") {
  CHECK(Scene::build({}).info().spheres == 0);
  const Scene two = Scene::build({{{0, 0, 5}, 1}, {{0, 0, 9}, 2}}, {.quality = BuildQuality::compact});
  CHECK(two.spheres().size() == 2);
  CHECK(two.first_hit(Ray{{0, 0, 20}, {0, 0, -1}}).sphere == 1);
}

TEST_CASE("a vector that a scene cannot take is unchanged", "[scene]") {
  std::vector<Sphere> spheres = workload::spheres(workload::Kind::crowd, 1000, test::seed());
  const Sphere* const memory = spheres.data();
  const auto unchanged = [&] { return spheres.data() == memory && spheres.size() == 1000; };
  CHECK(refusal([&] { (void)Scene::build(std::move(spheres), {.memory_limit = 1}); }).code ==
        ErrorCode::out_of_memory);
  CHECK(unchanged());
  spheres[7].radius = -1;
  CHECK(refusal([&] { (void)Scene::build(std::move(spheres)); }).element == 7);
  CHECK(unchanged());
}

TEST_CASE("inputs that were checked are not checked again", "[scene]") {
  const Scene scene = Scene::build(std::vector<Sphere>{{{0, 0, 5}, 1}});
  const std::vector<Ray> valid{{{0, 0, 0}, {0, 0, 1}}, {{0, 0, 0}, {1, 0, 0}}};
  CHECK(scene.blocked(valid, {.check_inputs = false}) == scene.blocked(valid));
  const std::vector<Ray> zero{{{0, 0, 0}, {0, 0, 0}}};
  CHECK(refusal([&] { (void)scene.blocked(zero); }).element == 0);
  CHECK_NOTHROW(scene.blocked(zero, {.check_inputs = false}));  // its result is undefined
}

TEST_CASE("one bullet's impacts are those of its batch", "[scene]") {
  constexpr std::size_t spheres = 200;
  const Scene scene = Scene::build(workload::spheres(workload::Kind::crowd, spheres, test::seed()));
  const std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 500, spheres, test::seed());
  std::vector<Bullet> bullets;
  for (const Ray& ray : rays) bullets.push_back({ray.origin, ray.direction, 0.1});
  const FlightOptions flight{.bounces = 3, .pierces = 1};
  const ImpactLists lists = scene.all_impacts(bullets, flight);
  const std::vector<Impact> first = scene.first_impact(bullets, flight);
  for (std::size_t i = 0; i < bullets.size(); ++i) {
    REQUIRE(test::all_same(lists[i], scene.all_impacts(bullets[i], flight)));
    REQUIRE((lists[i].empty() ? first[i].sphere == -1 : test::same(lists[i].front(), first[i])));
  }
  const std::vector<double> two{1, 2}, negative(spheres, -1);
  CHECK(refusal([&] { (void)scene.all_impacts(bullets[0], {.resistances = two}); }).code ==
        ErrorCode::invalid_argument);
  const Bullet at_first{scene.spheres()[0].center, {1, 0, 0}};
  CHECK(refusal([&] { (void)scene.all_impacts(at_first, {.resistances = negative}); }).code ==
        ErrorCode::invalid_argument);
}

}  // namespace sphaera
