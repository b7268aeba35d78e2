/// \file The spheres that stand for a scene in the view of a report.

#include <algorithm>
#include <random>
#include <set>
#include <tests/catch.hpp>
#include <tests/seed.hpp>
#include <tools/report/level_of_detail.hpp>

using namespace sphaera;

namespace {

std::vector<Sphere> random_spheres(std::size_t count, std::mt19937_64& random) {
  std::uniform_real_distribution<double> place(-1, 1), decade(-3, 0);
  std::vector<Sphere> spheres;
  for (std::size_t i = 0; i < count; ++i)
    spheres.push_back(
        {{place(random), place(random), place(random)}, std::pow(10, std::round(decade(random)))});
  return spheres;
}

double radius(const Scene& scene, std::int64_t id) {
  return scene.spheres()[static_cast<std::size_t>(id)].radius;
}

}  // namespace

TEST_CASE("a view has the largest spheres first, those of each octant, and none twice", "[report]") {
  std::mt19937_64 random(test::seed());
  for (const std::size_t count : {0, 1, 99, 100, 101, 5000}) {
    const Scene scene = Scene::build(random_spheres(count, random));
    const std::vector<std::int64_t> ids = tool::level_of_detail(scene, all_layers, 100);
    CHECK(ids.size() == std::min<std::size_t>(count, 100));
    CHECK(std::set(ids.begin(), ids.end()).size() == ids.size());
    CHECK(std::ranges::is_sorted(ids, std::greater(), [&](std::int64_t id) { return radius(scene, id); }));
    CHECK(ids == tool::level_of_detail(scene, all_layers, 100));
    // The octants of the centers: each has its largest sphere, or one as large.
    double largest[8] = {}, shown[8] = {};
    const auto octant = [&](std::int64_t id) {
      const Vec3& c = scene.spheres()[static_cast<std::size_t>(id)].center;
      return (c.x > 0) + 2 * (c.y > 0) + 4 * (c.z > 0);
    };
    for (std::int64_t id = 0; id < static_cast<std::int64_t>(count); ++id)
      largest[octant(id)] = std::max(largest[octant(id)], radius(scene, id));
    for (const std::int64_t id : ids) shown[octant(id)] = std::max(shown[octant(id)], radius(scene, id));
    if (count != 101) CHECK(std::ranges::equal(largest, shown));
  }
}

TEST_CASE("a view keeps to layers, and a far sphere is in it", "[report]") {
  std::vector<Sphere> spheres(1000, Sphere{{0, 0, 0}, 1});
  std::vector<std::uint8_t> layers(1000, 0);
  for (std::size_t i = 0; i < spheres.size(); ++i) spheres[i].center.x = static_cast<double>(i);
  layers[7] = layers[500] = 1;
  spheres[400] = {{0, 1e13, 0}, 1e-3};
  const Scene scene = Scene::build(spheres, {.layers = layers});
  CHECK(tool::level_of_detail(scene, 1 << 1, 10).size() == 2);
  const std::vector<std::int64_t> ids = tool::level_of_detail(scene, 1 << 0, 10);
  CHECK(ids.size() == 10);
  CHECK(std::ranges::count(ids, 400) == 1);
  CHECK(std::ranges::count(ids, 7) + std::ranges::count(ids, 500) == 0);
}
