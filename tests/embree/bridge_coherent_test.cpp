/// \file Coherent packets, whose frustum Embree tests before the boxes of their rays.

#include <cmath>
#include <limits>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/embree/walls_and_spheres.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using embree::Granularity, embree::SphereGeometry;

namespace {

float next_float(float x) { return std::nextafter(x, std::numeric_limits<float>::infinity()); }

/// Spheres as an RTCScene of one geometry.
struct OneGeometry {
  DeviceHandle device{rtcNewDevice(nullptr)};
  Scene scene;
  SphereGeometry geometry;
  SceneHandle handle{rtcNewScene(device.get())};

  OneGeometry(const std::vector<Sphere>& spheres, const embree::GeometryOptions& options)
      : scene(Scene::build(spheres)), geometry(device.get(), scene, options) {
    rtcAttachGeometry(handle.get(), geometry.get());
    rtcCommitScene(handle.get());
  }
};

/// n spheres that a ray along `axis` meets up to eight floats before and after `start`: at its start, or
/// within one float of it.
std::vector<Sphere> near_start(const Vec3& origin, int axis, float start, std::size_t n, Random& random) {
  const double step = std::max<double>(next_float(start) - start, 0x1p-30);
  std::vector<Sphere> spheres;
  for (std::size_t i = 0; i < n; ++i) {
    const double radius = random.between(0.5, 2), entry = start + random.between(-8, 8) * step / 4;
    Vec3 center = origin;
    (axis == 0 ? center.x : axis == 1 ? center.y : center.z) += entry + radius;
    spheres.push_back({center, radius});
  }
  return spheres;
}

/// Wrong answers of rays that start at or just before all of the spheres, by packets.
int wrong_near_start(Granularity granularity, Random& random) {
  const int axis = random.below(3);
  const auto component = [&] { return static_cast<double>(static_cast<float>(random.between(-4, 4))); };
  const Vec3 origin{component(), component(), component()};
  const float start = random.one_in(4) ? 0 : static_cast<float>(random.log_uniform(1e-3, 1e3));
  const std::vector<Sphere> spheres =
      near_start(origin, axis, start, static_cast<std::size_t>(random.whole(2, 12)), random);
  const OneGeometry level(spheres, {.granularity = granularity});
  const Ray ray{origin, {axis == 0 ? 1.0 : 0, axis == 1 ? 1.0 : 0, axis == 2 ? 1.0 : 0}, start, infinity};
  std::vector<RTCRayHit> rays(16, embree::float_ray_hit(ray));
  for (RTCRayHit& other : rays)  // some rays of the packet begin later
    if (random.one_in(4)) other.ray.tnear = next_float(start);
  int wrong = 0;
  for (const unsigned width : {4u, 8u, 16u}) {
    std::vector<RTCRayHit> found = rays;
    PlainContext context;
    init(context);
    intersect(level.handle.get(), context, found, std::vector<int>(rays.size(), -1), width, true);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      std::vector<SphereSight> seen;
      for (std::size_t id = 0; id < spheres.size(); ++id)
        seen.push_back({static_cast<std::int64_t>(id), oracle::sight(in_double(rays[i].ray), spheres[id])});
      const SphereSight* const first = first_of(seen);
      const bool single = granularity == Granularity::spheres;
      const float tfar = found[i].ray.tfar;
      wrong += first ? found[i].hit.primID != first->id ||
                           !(single ? is_coherent_entry(first->sight, rays[i].ray, tfar)
                                    : is_entry(first->sight, tfar))
                     : found[i].hit.geomID != RTC_INVALID_GEOMETRY_ID;
    }
  }
  return wrong;
}

/// Rays with a negative x component each, about one in eight of them in (−1e-18, 0).
std::vector<Ray> nearly_level_rays(std::size_t n, Random& random) {
  std::vector<Ray> rays;
  while (rays.size() < n) {
    const double x = random.one_in(8) ? -random.log_uniform(1e-25, 1e-18) : -random.between(0.1, 1);
    rays.push_back({random.in_cube(10), {x, random.between(-1, 1), random.between(-1, 1)}, 0, infinity});
  }
  return rays;
}

/// Rays of coherent packets that do not find the sphere that the scene finds, or find the wrong shadow.
int wrong_nearly_level(embree::Contexts contexts, Random& random) {
  std::vector<Sphere> spheres;
  for (int i = 0; i < 400; ++i) spheres.push_back({random.in_cube(10), random.between(0.1, 1)});
  const OneGeometry level(spheres, {.granularity = Granularity::spheres, .contexts = contexts});
  const std::vector<Ray> rays = nearly_level_rays(64, random);
  std::vector<RTCRayHit> floats;
  std::vector<Ray> decided;
  for (const Ray& ray : rays) {
    floats.push_back(embree::float_ray_hit(ray, static_cast<unsigned>(floats.size())));
    decided.push_back(contexts == embree::Contexts::extended ? ray : in_double(floats.back().ray));
  }
  const std::vector<Hit> expected = level.scene.first_hit(decided);
  QueryContext context;
  context.rays = rays;
  int wrong = 0;
  for (const unsigned width : {4u, 8u, 16u}) {
    std::vector<RTCRayHit> found = floats;
    std::vector<RTCRay> shadows;
    for (const RTCRayHit& ray : floats) shadows.push_back(ray.ray);
    intersect(level.handle.get(), context, found, std::vector<int>(rays.size(), -1), width, true);
    occluded(level.handle.get(), context, shadows, std::vector<int>(rays.size(), -1), width, true);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const bool hit = expected[i].sphere >= 0;
      wrong += found[i].hit.primID != (hit ? static_cast<unsigned>(expected[i].sphere) : ~0u);
      wrong += (shadows[i].tfar < 0) != hit;
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("a coherent packet goes on behind a sphere that is met within one float of tnear",
          "[embree][bridge]") {
  const std::vector<Sphere> spheres{{{2 + 0x1p-26, 0, 0}, 1}, {{2 + 0x1p-27, 0, 0}, 1}};
  const OneGeometry level(spheres, {.granularity = Granularity::spheres});
  for (const unsigned width : widths) {
    std::vector<RTCRayHit> rays(16, embree::float_ray_hit({{0, 0, 0}, {1, 0, 0}, 1, infinity}));
    PlainContext context;
    init(context);
    intersect(level.handle.get(), context, rays, std::vector<int>(rays.size(), -1), width, true);
    for (const RTCRayHit& ray : rays) {
      CHECK(ray.hit.primID == 1);
      CHECK(ray.ray.tfar == (width > 1 ? next_float(1) : 1.f));
    }
  }
}

TEST_CASE("coherent packets find the first of many spheres that are met near tnear", "[embree][bridge]") {
  Random random(seed(), 11);
  for (int round = 0; round < fewer_in_repeats(2000); ++round) {
    CHECK(wrong_near_start(Granularity::spheres, random) == 0);
    CHECK(wrong_near_start(Granularity::scene, random) == 0);
  }
}

TEST_CASE("a ray that hardly descends spoils no coherent packet", "[embree][bridge]") {
  Random random(seed(), 12);
  for (int round = 0; round < fewer_in_repeats(20); ++round) {
    CHECK(wrong_nearly_level(embree::Contexts::extended, random) == 0);
    CHECK(wrong_nearly_level(embree::Contexts::plain, random) == 0);
  }
  CHECK(embree::float_ray({{0, 0, 0}, {-0x1p-60, 0x1p-60, -0x1p-59}, 0, 1}).dir_x == 0);
}
