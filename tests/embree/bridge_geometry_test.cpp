/// \file The geometry as an object: options and errors, updates, floating-point modes, threads.

#include <cmath>
#include <cstring>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/embree/walls_and_spheres.hpp>
#include <tests/host_mode.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>
#include <thread>

using namespace sphaera;
using namespace sphaera::test;
using embree::Contexts, embree::GeometryOptions, embree::Granularity, embree::SphereGeometry;

namespace {

/// One geometry in an RTCScene of its own.
struct Level {
  RTCDevice device;
  SphereGeometry geometry;
  SceneHandle scene;
  unsigned id;

  Level(RTCDevice d, const Scene& spheres, const GeometryOptions& options,
        RTCSceneFlags flags = RTC_SCENE_FLAG_NONE)
      : device(d), geometry(d, spheres, options), scene(rtcNewScene(d)) {
    rtcSetSceneFlags(scene.get(), flags);
    id = rtcAttachGeometry(scene.get(), geometry.get());
    rtcCommitScene(scene.get());
  }
  RTCRayHit shoot(const Ray& ray) const {
    std::vector<RTCRayHit> rays{embree::float_ray_hit(ray)};
    PlainContext context;
    init(context);
    intersect(scene.get(), context, rays, {-1}, 1);
    return rays[0];
  }
};

/// Number of rays in doubles for which the level's answer differs from the scene's own.
int wrong_answers(const Level& level, const Scene& scene, const std::vector<Ray>& rays) {
  QueryContext context;
  std::vector<Hit> hits(rays.size());
  context.rays = rays, context.hits = hits;
  int wrong = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    Ray from_zero = rays[i];
    from_zero.t_min = std::max(from_zero.t_min, 0.0);
    const Hit hit = scene.first_hit(from_zero);
    std::vector<RTCRayHit> found{embree::float_ray_hit(rays[i], static_cast<unsigned>(i))};
    intersect(level.scene.get(), context, found, {-1}, 1);
    const bool met = found[0].hit.geomID == level.id;
    wrong += met != (hit.sphere >= 0) || (met && (!same(hits[i], hit) || found[0].hit.primID != hit.sphere));
  }
  return wrong;
}

std::vector<Ray> finite_rays(const Scene& scene, double extent, std::size_t n, Random& random) {
  std::vector<Ray> rays = embree_rays({scene.spheres().begin(), scene.spheres().end()}, extent, n, random);
  std::erase_if(rays, [](const Ray& ray) { return ray.t_max < 0; });
  return rays;
}

const std::vector<Sphere> two{{{0, 0, 0}, 1}, {{10, 0, 0}, 2}};

}  // namespace

TEST_CASE("options out of range are refused", "[embree][bridge]") {
  const DeviceHandle device(rtcNewDevice(nullptr));
  const Scene scene = Scene::build(two);
  const auto refused = [&](const GeometryOptions& options) {
    const Refusal r = refusal([&] { SphereGeometry(device.get(), scene, options); });
    CHECK(r.code == ErrorCode::invalid_argument);
    return r;
  };
  CHECK(refusal([&] { SphereGeometry(nullptr, scene); }).code == ErrorCode::invalid_argument);
  refused({.granularity = static_cast<Granularity>(2)});
  refused({.contexts = static_cast<Contexts>(9)});
  refused({.extent = -1});
  refused({.extent = std::numeric_limits<double>::quiet_NaN()});
  refused({.extent = infinity});
  refused({.extent = 0x1.1p60});
  CHECK(refused({.extent = 11}).element == 1);
  CHECK(refused({.extent = 0.5}).element == 0);
  refused({.time = {0, 1}});  // without velocities

  const std::vector<Vec3> velocities(2, Vec3{1, 0, 0});
  const Scene moving = Scene::build(two, {.velocities = velocities, .horizon = {0, 1}});
  for (const Horizon& time : {Horizon{0, 2}, Horizon{-1, 1}, Horizon{1, 0}, Horizon{std::nan(""), 1}})
    CHECK(refusal([&] { SphereGeometry(device.get(), moving, {.time = time}); }).code ==
          ErrorCode::invalid_argument);
  CHECK_NOTHROW(SphereGeometry(device.get(), moving, {.time = {0.25, 1}}));
  CHECK_NOTHROW(SphereGeometry(device.get(), scene, {.extent = 12}));

  const Scene huge = Scene::build({{{0, 0, 0}, 1}, {{0x1p100, 0, 0}, 1}});
  CHECK(refusal([&] { SphereGeometry(device.get(), huge); }).element == 1);
  CHECK(rtcGetDeviceError(device.get()) == RTC_ERROR_NONE);
}

TEST_CASE("rays miss an empty scene until an update brings spheres", "[embree][bridge]") {
  const DeviceHandle device(rtcNewDevice(nullptr));
  const Scene empty, scene = Scene::build(two);
  for (const Granularity granularity : {Granularity::scene, Granularity::spheres}) {
    Level level(device.get(), empty, {.granularity = granularity});
    const Ray ray{{-5, 0, 0}, {1, 0, 0}};
    CHECK(level.shoot(ray).hit.geomID == RTC_INVALID_GEOMETRY_ID);
    level.geometry.update(scene);
    rtcCommitScene(level.scene.get());
    CHECK(level.shoot(ray).hit.primID == 0);
    CHECK(&level.geometry.scene() == &scene);
    level.geometry.update(empty);
    rtcCommitScene(level.scene.get());
    CHECK(level.shoot(ray).hit.geomID == RTC_INVALID_GEOMETRY_ID);
  }
}

TEST_CASE("after an update the spheres are at their new places", "[embree][bridge]") {
  Random random(seed(), 7);
  const DeviceHandle device(rtcNewDevice(nullptr));
  for (int round = 0; round < 8; ++round) {
    const Granularity granularity = round & 1 ? Granularity::spheres : Granularity::scene;
    const bool refit = round & 2;
    Scene scene = Scene::build(make_spheres(SceneKind::crowd, 200, random));
    Level level(device.get(), scene,
                {.granularity = granularity,
                 .contexts = Contexts::extended,
                 .quality = refit ? RTC_BUILD_QUALITY_REFIT : RTC_BUILD_QUALITY_MEDIUM},
                refit ? RTC_SCENE_FLAG_DYNAMIC : RTC_SCENE_FLAG_NONE);
    if (refit) rtcSetSceneBuildQuality(level.scene.get(), RTC_BUILD_QUALITY_LOW);
    rtcCommitScene(level.scene.get());
    for (int frame = 0; frame < 4; ++frame) {
      std::vector<Vec3> centers;
      for (const Sphere& s : scene.spheres())
        centers.push_back(s.center + random.in_cube(frame == 2 ? 100 : 1));
      scene.update(centers);
      level.geometry.update();
      rtcCommitScene(level.scene.get());
      CHECK(wrong_answers(level, scene, finite_rays(scene, level.geometry.extent(), 300, random)) == 0);
    }
  }
}

TEST_CASE("an update that is refused leaves the geometry as it was", "[embree][bridge]") {
  const DeviceHandle device(rtcNewDevice(nullptr));
  const Scene scene = Scene::build(two), far = Scene::build({{{1000, 0, 0}, 1}});
  Level level(device.get(), scene, {.extent = 20});
  CHECK(refusal([&] { level.geometry.update(far); }).element == 0);
  rtcCommitScene(level.scene.get());
  CHECK(&level.geometry.scene() == &scene);
  CHECK(level.shoot({{-5, 0, 0}, {1, 0, 0}}).ray.tfar == 4);
}

TEST_CASE("a geometry may be moved while it is attached, and attached twice", "[embree][bridge]") {
  const DeviceHandle device(rtcNewDevice(nullptr));
  const Scene scene = Scene::build(two);
  Level level(device.get(), scene, {});
  SphereGeometry elsewhere = std::move(level.geometry);
  CHECK(level.shoot({{-5, 0, 0}, {1, 0, 0}}).ray.tfar == 4);
  const unsigned second = rtcAttachGeometry(level.scene.get(), elsewhere.get());
  rtcCommitScene(level.scene.get());
  CHECK(second != level.id);
  CHECK(level.shoot({{-5, 0, 0}, {1, 0, 0}}).hit.primID == 0);
}

TEST_CASE("the caller's floating-point mode changes no answer and is kept", "[embree][bridge]") {
  Random random(seed(), 8);
  const DeviceHandle device(rtcNewDevice(nullptr));
  for (int round = 0; round < 12; ++round) {
    const Granularity granularity = round & 1 ? Granularity::spheres : Granularity::scene;
    // Spheres of radius 0.25 to 5, or far smaller ones whose floats are denormal.
    const bool tiny = round & 2;
    std::vector<Sphere> spheres = make_spheres(SceneKind::nested, 30, random);
    if (tiny)
      for (Sphere& s : spheres) s = {random.in_cube(0x1p-128), 0x1p-130 * random.between(1, 9)};
    const Scene scene = Scene::build(spheres);
    const Level level(device.get(), scene, {.granularity = granularity, .contexts = Contexts::extended});
    std::vector<Ray> rays;
    for (int i = 0; tiny && i < 200; ++i)
      rays.push_back(
          {{-0x1p-126, random.between(-1, 1) * 0x1p-128, 0}, {1, random.between(-1, 1) * 0x1p-128, 0}});
    if (!tiny) rays = finite_rays(scene, 0x1p10, 200, random);
    std::vector<Hit> expected, hits(rays.size());
    for (Ray ray : rays) {
      ray.t_min = std::max(ray.t_min, 0.0);
      expected.push_back(scene.first_hit(ray));
    }
    QueryContext context;
    context.rays = rays, context.hits = hits;
    for (const unsigned mode : {default_mode, default_mode | flush_denormals}) {
      std::vector<RTCRayHit> found;
      for (std::size_t i = 0; i < rays.size(); ++i)
        found.push_back(embree::float_ray_hit(rays[i], static_cast<unsigned>(i)));
      const std::vector<int> valid(rays.size(), -1);
      bool kept = false;
      {
        const HostMode host(mode);
        intersect(level.scene.get(), context, found, valid, 1);
        kept = host.kept();
      }
      CHECK(kept);
      int wrong = 0;
      for (std::size_t i = 0; i < rays.size(); ++i) {
        const bool met = found[i].hit.geomID == level.id;
        wrong += met != (expected[i].sphere >= 0) || (met && !same(hits[i], expected[i]));
      }
      INFO("mode " << mode);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("functions other than callbacks give the same in every floating-point mode", "[embree][bridge]") {
  const DeviceHandle device(rtcNewDevice(nullptr));
  const std::vector<Vec3> velocities(2, Vec3{1, 0, 0});
  const Scene scene =
      Scene::build({{{0.1, 0, 0}, 0.3}, {{1.1, 0, 0}, 0.7}}, {.velocities = velocities, .horizon = {0, 1}});
  const SphereGeometry geometry(device.get(), scene, {.time = {0.1, 0.9}});
  struct Answers {
    RTCRay ray, denormal;
    double time;
    bool touch, found, kept;
    Neighbor nearest;
  };
  const auto ask = [&](unsigned mode) {
    Answers a{};
    embree::PointQuery query;
    query.geometry = &geometry;
    RTCPointQuery floats{0.3F, 0.7F, 0x1p-130F, 0, 10};
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    RTCPointQueryFunctionArguments arguments{};
    arguments.query = &floats, arguments.userPtr = &query, arguments.context = &context;
    const HostMode host(mode);
    a.ray = embree::float_ray({{0.1, 0.2, 0.3}, {0.7, -0.1, 1e-3}, 0.1, 0.3}, 3, 0.5F);
    a.denormal = embree::float_ray({{0x1p-140, 0, 0}, {0x1p-20, 0, 0}, 0x1p-150, 0x1p-149});
    a.time = geometry.scene_time(0.3F);
    a.touch = embree::touch(geometry, 0, geometry, 1);
    a.found = embree::point_query(&arguments);
    a.kept = host.kept();
    a.nearest = query.nearest;
    return a;
  };
  const Answers plain = ask(default_mode);
  CHECK((plain.found && plain.nearest.sphere == 1));
  for (const unsigned mode : host_modes()) {
    const Answers other = ask(mode);
    INFO("mode " << std::hex << mode);
    CHECK(std::memcmp(&other.ray, &plain.ray, sizeof plain.ray) == 0);
    CHECK(std::memcmp(&other.denormal, &plain.denormal, sizeof plain.denormal) == 0);
    CHECK((same(other.time, plain.time) && other.touch == plain.touch && other.found && other.kept));
    CHECK(same(other.nearest, plain.nearest));
  }
}

TEST_CASE("several threads query one level at the same time", "[embree][bridge]") {
  Random random(seed(), 9);
  const DeviceHandle device(rtcNewDevice(nullptr));
  const Scene scene = Scene::build(make_spheres(SceneKind::crowd, 500, random));
  for (const Granularity granularity : {Granularity::scene, Granularity::spheres}) {
    const Level level(device.get(), scene, {.granularity = granularity, .contexts = Contexts::extended});
    const std::vector<Ray> rays = finite_rays(scene, level.geometry.extent(), 2000, random);
    std::vector<int> wrong(4, -1);
    {
      std::vector<std::jthread> threads;
      for (int& mine : wrong) threads.emplace_back([&] { mine = wrong_answers(level, scene, rays); });
    }
    CHECK(wrong == std::vector<int>(4, 0));
  }
}

TEST_CASE("float rays enclose the rays in doubles", "[embree][bridge]") {
  const RTCRay ray = embree::float_ray({{0.1, -0.1, 3}, {1, 2, 3}, 0.1, 0.3}, 7, 0.5F);
  CHECK((ray.org_x == 0.1F && ray.org_y == -0.1F && ray.dir_z == 3 && ray.id == 7 && ray.time == 0.5F));
  CHECK(
      (static_cast<double>(ray.tnear) <= 0.1 && static_cast<double>(std::nextafter(ray.tnear, 1.0F)) > 0.1));
  CHECK((static_cast<double>(ray.tfar) >= 0.3 && static_cast<double>(std::nextafter(ray.tfar, 0.0F)) < 0.3));
  const RTCRay point = embree::float_ray({{0, 0, 0}, {1, 0, 0}, 0, 0});
  CHECK(point.tnear < point.tfar);
  CHECK(embree::float_ray({{0, 0, 0}, {1, 0, 0}, -1, infinity}).tnear == 0);
  CHECK(std::isinf(embree::float_ray({{0, 0, 0}, {1, 0, 0}}).tfar));
}
