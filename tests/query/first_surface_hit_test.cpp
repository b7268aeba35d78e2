/// \file first_surface_hit: the hit of first_hit with the point and normal of hit_point.

#include <sphaera/closed_form/pierce.hpp>
#include <sphaera/scene.hpp>
#include <tools/workload/workload.hpp>

#include <tests/catch.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

/// first_hit and hit_point, one after the other.
template <class Path>
SurfaceHit expected(const Scene& scene, const Path& path) {
  const Hit hit = scene.first_hit(path);
  if (hit.sphere < 0) return {hit, {}, {}};
  const auto [point, normal] = hit_point(path, scene.spheres()[static_cast<std::size_t>(hit.sphere)]).value();
  return {hit, point, normal};
}

template <class Path>
void check(const Scene& scene, const std::vector<Path>& paths) {
  const std::vector<SurfaceHit> found = scene.first_surface_hit(paths);
  std::vector<SurfaceHit> serial(paths.size());
  scene.first_surface_hit(paths, serial, {.threads = 1, .grain = 3});
  REQUIRE(test::all_same(found, serial));
  for (std::size_t i = 0; i < paths.size(); ++i) {
    REQUIRE(test::same(found[i], expected(scene, paths[i])));
    REQUIRE(test::same(found[i], scene.first_surface_hit(paths[i])));
  }
}

}  // namespace

TEST_CASE("a surface hit is the first hit with its point and normal", "[query]") {
  for (const workload::Kind kind : workload::kinds) {
    constexpr std::size_t spheres = 300, paths = 2000;
    const Scene scene = Scene::build(workload::spheres(kind, spheres, test::seed()));
    const std::vector<Ray> rays = workload::rays(kind, paths, spheres, test::seed());
    check(scene, rays);
    std::vector<Segment> segments;
    for (std::size_t i = 1; i < rays.size(); ++i) segments.push_back({rays[i - 1].origin, rays[i].origin});
    for (const Sphere& sphere : scene.spheres()) segments.push_back({sphere.center, sphere.center});
    check(scene, segments);  // the last ones start inside, at a center: their normal is 0
  }
}

TEST_CASE("a surface hit that misses has no point and no normal", "[query]") {
  const SurfaceHit miss = Scene().first_surface_hit(Ray{{0, 0, 0}, {1, 0, 0}});
  CHECK(test::same(miss, SurfaceHit{}));
  CHECK(miss.sphere == -1);
  const Scene one = Scene::build(std::vector<Sphere>{{{0, 0, 0}, 2}});
  const SurfaceHit hit = one.first_surface_hit(Ray{{5, 0, 0}, {-1, 0, 0}});
  CHECK(test::same(hit, SurfaceHit{{3, 7, 0, Contact::enters}, {2, 0, 0}, {1, 0, 0}}));
}

}  // namespace sphaera
