/// \file Small spheres far from 0: Embree's float tests of their boxes must lose none that a ray touches.

#include <algorithm>
#include <cmath>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/embree/walls_and_spheres.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using embree::Contexts, embree::Granularity, embree::SphereGeometry;

namespace {

constexpr double extent = 1000;

Vec3 far_position(Random& random) {
  const Vec3 p = random.in_cube(extent);
  return random.one_in(2)
             ? p
             : Vec3{std::copysign(extent, p.x) * 0.9999, p.y, std::copysign(extent, p.z) * 0.9999};
}

/// Rays from within the extent to points in and on the edge of spheres, mostly where these touch their boxes.
std::vector<Ray> grazing_rays(const std::vector<Sphere>& spheres, std::size_t n, Random& random) {
  std::vector<Ray> rays;
  while (rays.size() < n) {
    const Sphere& s = spheres[random.bits() % spheres.size()];
    Vec3 out = random.direction();
    if (!random.one_in(4)) {
      const double side = random.one_in(2) ? 1 : -1;
      const int axis = random.below(3);
      out = {axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0};
    }
    const Vec3 target = s.center + s.radius * random.between(0.9, 1) * out;
    Vec3 origin = far_position(random);
    // Perpendicular to the radius, so that the ray grazes the sphere, or nearly along the y axis.
    if (random.one_in(2)) origin = origin - dot(origin - target, out) * out;
    if (random.one_in(4)) origin = {target.x + random.between(-1e-3, 1e-3), origin.y, target.z};
    const auto within = [](double x) { return std::fabs(x) <= extent; };
    if (!within(origin.x) || !within(origin.y) || !within(origin.z)) continue;
    const Vec3 way = target - origin;
    if (dot(way, way) > 1) rays.push_back({origin, random.between(0.1, 2) * way, 0, infinity});
  }
  return rays;
}

/// Number of rays that did not find the sphere that the scene's own query finds.
std::size_t lost(Granularity granularity, std::size_t n, Random& random) {
  const DeviceHandle device(rtcNewDevice(nullptr));
  std::vector<Sphere> spheres;
  for (int i = 0; i < 200; ++i)
    spheres.push_back({far_position(random), extent * random.log_uniform(1e-9, 1e-5)});
  for (Sphere& s : spheres) s.radius = std::min(s.radius, 0.05);
  const Scene scene = Scene::build(spheres);
  const SphereGeometry geometry(
      device.get(), scene,
      {.granularity = granularity, .contexts = Contexts::extended, .extent = extent + 0.1});
  // A second geometry beside it, so that Embree tests the box of a whole scene, too.
  const Scene other = Scene::build({{{0, 0, -extent}, 1e-6}});
  const SphereGeometry beside(device.get(), other, {.contexts = Contexts::extended, .mask = 0});
  const SceneHandle level(rtcNewScene(device.get()));
  rtcAttachGeometry(level.get(), geometry.get());
  rtcAttachGeometry(level.get(), beside.get());
  rtcCommitScene(level.get());

  const std::vector<Ray> rays = grazing_rays(spheres, n, random);
  const std::vector<Hit> expected = scene.first_hit(rays);
  std::vector<RTCRayHit> floats;
  for (std::size_t i = 0; i < n; ++i)
    floats.push_back(embree::float_ray_hit(rays[i], static_cast<unsigned>(i)));
  QueryContext context;
  context.rays = rays;
  std::size_t wrong = 0;
  for (const unsigned width : widths) {
    for (const bool coherent : {false, true}) {
      std::vector<RTCRayHit> found = floats;
      intersect(level.get(), context, found, std::vector<int>(n, -1), width, coherent);
      for (std::size_t i = 0; i < n; ++i) {
        const auto id =
            expected[i].sphere < 0 ? RTC_INVALID_GEOMETRY_ID : static_cast<unsigned>(expected[i].sphere);
        wrong += found[i].hit.primID != id;
      }
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("Embree's boxes lose no sphere that a ray grazes", "[embree][bridge]") {
  Random random(seed(), 10);
  for (int round = 0; round < 8; ++round) {
    CHECK(lost(Granularity::spheres, fewer_in_repeats(std::size_t{10'000}), random) == 0);
    CHECK(lost(Granularity::scene, fewer_in_repeats(std::size_t{2'000}), random) == 0);
  }
}
