/// \file blocked: whether a path has a point in common with a sphere, as the oracle decides for every sphere.

#include <sphaera/scene.hpp>
#include <tests/oracle/decide.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/query/paths_by_oracle.hpp>

namespace sphaera {
namespace {

template <class Path>
bool meets_one(const Path& path, const std::vector<Sphere>& spheres) {
  for (const Sphere& sphere : spheres)
    if (oracle::meets(oracle::sight(path, sphere))) return true;
  return false;
}

template <class Path>
int count_wrong(const Scene& scene, const std::vector<Sphere>& spheres, const std::vector<Path>& paths) {
  const std::vector<std::uint8_t> batch = scene.blocked(paths);
  int wrong = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const bool expected = meets_one(paths[i], spheres);
    wrong += (batch[i] != 0) != expected || scene.blocked(paths[i]) != expected;
  }
  return wrong;
}

}  // namespace

TEST_CASE("a path is blocked if the oracle finds a sphere that it meets", "[query]") {
  test::check_paths_on_every_kind(40, test::fewer_in_repeats<std::size_t>(400),
                                  [](const auto&... asked) { return count_wrong(asked...); });
}

TEST_CASE("a touch blocks, a gap of one ulp does not", "[query]") {
  const Scene scene = Scene::build(std::vector<Sphere>{{{0, 0, 5}, 1}});
  constexpr double above = 0x1.0000000000001p+0;
  CHECK(scene.blocked(Ray{{1, 0, 0}, {0, 0, 1}}));  // a tangent
  CHECK(!scene.blocked(Ray{{above, 0, 0}, {0, 0, 1}}));
  CHECK(scene.blocked(Segment{{0, 0, 0}, {0, 0, 4}}));  // ends on the surface
  CHECK(!scene.blocked(Segment{{0, 0, 0}, {0, 0, 0x1.fffffffffffffp+1}}));
  CHECK(scene.blocked(Ray{{0, 0, 6}, {0, 0, 1}}));  // begins on the surface and leaves
  CHECK(!scene.blocked(Ray{{0, 0, 0x1.8000000000001p+2}, {0, 0, 1}}));
  CHECK(scene.blocked(Ray{{0, 0, 5}, {0, 0, 1}, 0, 0.5}));  // all of it inside
  CHECK(!scene.blocked(Ray{{0, 0, 0}, {0, 0, 1}, 7, 9}));   // after the sphere
}

TEST_CASE("a path is not blocked by the sphere that it ignores", "[query]") {
  const Scene scene = Scene::build(std::vector<Sphere>{{{0, 0, 5}, 1}, {{9, 0, 5}, 1}});
  const std::vector<Ray> rays{{{0, 0, 0}, {0, 0, 1}}, {{9, 0, 0}, {0, 0, 1}}};
  const std::vector<std::int64_t> ignore{0, 0};
  CHECK(scene.blocked(rays, {.ignore = ignore}) == std::vector<std::uint8_t>{0, 1});
}

}  // namespace sphaera
