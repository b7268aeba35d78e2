/// \file Indices that are built in the background, and taken over with what has changed meanwhile.

#include <sphaera/scene.hpp>

#include <algorithm>
#include <catch.hpp>
#include <effort.hpp>
#include <exact/random.hpp>
#include <seed.hpp>
#include <workload/workload.hpp>

namespace sphaera {

using Rebuild = UpdateOptions::Rebuild;
using test::Random;

TEST_CASE("an index that is built in the background is taken over, with what has changed meanwhile",
          "[query][edit]") {
  const std::size_t n = test::sanitized ? 3'000 : 30'000;
  Random random(test::seed());
  std::vector<Sphere> spheres = workload::spheres(workload::Kind::crowd, n, test::seed());
  const std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 500, n, test::seed());
  Scene scene = Scene::build(spheres);
  const UpdateOptions options{.rebuild = Rebuild::in_background, .stop = {}};
  std::vector<Vec3> centers;
  for (const Sphere& sphere : spheres) centers.push_back(sphere.center);
  int adopted = 0, frames = 0;
  for (; adopted < 3 && frames < 100'000; ++frames) {
    for (int i = 0; i < 40; ++i) std::swap(centers[random.bits() % n], centers[random.bits() % n]);
    const auto id = static_cast<std::int64_t>(random.bits() % n);
    scene.erase({&id, 1}, options);
    adopted += scene.update(centers, {}, options).rebuilt;
    const Sphere back{centers[static_cast<std::size_t>(id)], spheres[static_cast<std::size_t>(id)].radius};
    REQUIRE(scene.insert({&back, 1}, {.update = options}) == std::vector{id});
    if (frames % 64 == 0)
      REQUIRE(scene.blocked(rays) == scene.blocked(rays, {.search = Search::brute_force, .stop = {}}));
  }
  CHECK(adopted == 3);
  const QueryOptions brute{.search = Search::brute_force, .stop = {}};
  CHECK(std::ranges::equal(scene.first_hit(rays), scene.first_hit(rays, brute), {}, &Hit::sphere,
                           &Hit::sphere));
}

TEST_CASE("a scene may end while an index is built in the background", "[query][edit]") {
  for (int i = 0; i < 20; ++i) {
    std::vector<Sphere> spheres = workload::spheres(workload::Kind::uniform, 2'000, 1);
    Scene scene = Scene::build(spheres);
    std::vector<Vec3> centers;
    for (const Sphere& sphere : spheres) centers.push_back(1e3 * sphere.center);
    std::ranges::reverse(centers);
    for (int k = 0; k < i % 3; ++k) {
      scene.update(centers, {}, {.rebuild = Rebuild::in_background, .stop = {}});
      std::rotate(centers.begin(), centers.begin() + 100, centers.end());
    }
  }
}

}  // namespace sphaera
