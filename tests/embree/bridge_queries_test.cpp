/// \file Point queries and pairs that touch, against every sphere by exact arithmetic.

#include <cmath>
#include <mutex>
#include <set>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/embree/walls_and_spheres.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/oracle/scene.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using embree::Granularity, embree::SphereGeometry;

namespace {

using Pairs = std::set<std::pair<unsigned, unsigned>>;

struct Collisions {
  const SphereGeometry *a, *b;
  Pairs touching;
  std::mutex mutex;
};

void collect(void* user, RTCCollision* collisions, unsigned count) {
  auto& all = *static_cast<Collisions*>(user);
  const std::lock_guard lock(all.mutex);
  for (unsigned i = 0; i < count; ++i)
    if (embree::touch(*all.a, collisions[i].primID0, *all.b, collisions[i].primID1))
      all.touching.emplace(collisions[i].primID0, collisions[i].primID1);
}

/// Not inlined: GCC 12 would use the double before its rounding to the float x, instead of x.
[[gnu::noinline]] Vec3 place_of(const RTCPointQuery& query) { return {query.x, query.y, query.z}; }

SceneHandle scene_of(RTCDevice device, const SphereGeometry& geometry) {
  SceneHandle scene(rtcNewScene(device));
  rtcAttachGeometry(scene.get(), geometry.get());
  rtcCommitScene(scene.get());
  return scene;
}

/// A number below `most` for each of n spheres, or none at all.
template <class Number>
std::vector<Number> some_of(std::size_t n, int most, Random& random) {
  std::vector<Number> numbers(random.one_in(2) ? n : 0);
  for (Number& number : numbers) number = static_cast<Number>(random.below(most));
  return numbers;
}

constexpr std::uint8_t hidden_layer = 9;
constexpr LayerMask hidden = LayerMask{1} << hidden_layer;
/// The layers of a scene, with the spheres of an owner on the hidden one.
std::vector<std::uint8_t> with_hidden(const Scene& scene, std::int64_t owner) {
  std::vector<std::uint8_t> layers(scene.spheres().size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool ignored = !scene.owners().empty() && owner == std::int64_t{scene.owners()[i]};
    layers[i] = ignored ? hidden_layer : scene.layers().empty() ? std::uint8_t{0} : scene.layers()[i];
  }
  return layers;
}

}  // namespace

TEST_CASE("a point query finds the nearest sphere within its radius", "[embree][bridge]") {
  Random random(seed(), 5);
  const DeviceHandle device(rtcNewDevice(nullptr));
  for (int round = 0; round < fewer_in_repeats(120); ++round) {
    const SceneKind scene_kind = embree_scene_kinds[round % std::size(embree_scene_kinds)];
    INFO(test::name(scene_kind) << ", round " << round);
    const std::vector<Sphere> spheres =
        make_spheres(scene_kind, static_cast<std::size_t>(random.whole(1, 60)), random);
    const auto layers = some_of<std::uint8_t>(spheres.size(), 3, random);
    const auto owners = some_of<std::uint32_t>(spheres.size(), 4, random);
    const Scene scene = Scene::build(spheres, {.layers = layers, .owners = owners});
    embree::GeometryOptions options;
    options.granularity = round & 1 ? Granularity::spheres : Granularity::scene;
    if (random.one_in(3)) options.layers = 0b011;
    const SphereGeometry geometry(device.get(), scene, options);
    const SceneHandle level = wall_scene(device.get(), make_walls(spheres, 4, random), false);
    const unsigned id = rtcAttachGeometry(level.get(), geometry.get());
    rtcCommitScene(level.get());
    int wrong = 0;
    for (const Vec3& point : make_points(spheres, 100, random)) {
      if (!(std::fmax(std::fabs(point.x), std::fmax(std::fabs(point.y), std::fabs(point.z))) <=
            geometry.extent()))
        continue;
      embree::PointQuery query;
      query.geometry = &geometry, query.geometry_id = id;
      const bool doubles = random.one_in(2);
      if (doubles) query.point = &point;
      if (random.one_in(3)) query.layers = 0b110;
      if (random.one_in(3)) query.ignore = random.below(static_cast<int>(spheres.size()));
      if (random.one_in(3)) query.ignore_owner = random.whole(-1, 3);
      RTCPointQuery floats{static_cast<float>(point.x), static_cast<float>(point.y),
                           static_cast<float>(point.z), 0, std::numeric_limits<float>::infinity()};
      const Vec3 at = doubles ? point : place_of(floats);
      const std::vector<std::uint8_t> layers_seen = with_hidden(scene, query.ignore_owner);
      const oracle::View view{spheres, layers_seen, query.layers & options.layers & ~hidden, query.ignore};
      const std::vector<std::int64_t> nearest = oracle::nearest(view, at, 1);
      double distance =
          nearest.empty() ? infinity : static_cast<double>(oracle::signed_distance(at, spheres[nearest[0]]));
      if (random.one_in(3))
        floats.radius = static_cast<float>(std::fabs(distance) * (random.one_in(2) ? 0.99 : 1.01));
      const bool reached = !nearest.empty() && distance <= floats.radius;
      RTCPointQueryContext context;
      rtcInitPointQueryContext(&context);
      rtcPointQuery(level.get(), &floats, &context, embree::point_query, &query);
      wrong += reached ? query.nearest.sphere != nearest[0] ||
                             std::fabs(query.nearest.distance - distance) > 0x1p-51 * std::fabs(distance) ||
                             (distance > 0 && floats.radius < distance)
                       : query.nearest.sphere != -1;
    }
    REQUIRE(wrong == 0);
  }
}

TEST_CASE("every pair of spheres that touches collides", "[embree][bridge]") {
  Random random(seed(), 6);
  const DeviceHandle device(rtcNewDevice(nullptr));
  for (int round = 0; round < fewer_in_repeats(60); ++round) {
    const SceneKind scene_kind = embree_scene_kinds[round % std::size(embree_scene_kinds)];
    INFO(test::name(scene_kind) << ", round " << round);
    std::vector<Sphere> spheres = make_spheres(scene_kind, 80, random);
    const std::vector<Sphere> others(spheres.begin() + 40, spheres.end());
    spheres.resize(40);
    const Scene one = Scene::build(spheres), other = Scene::build(others);
    const embree::GeometryOptions options{.granularity = Granularity::spheres};
    const SphereGeometry a(device.get(), one, options), b(device.get(), other, options);
    const SceneHandle scene_a = scene_of(device.get(), a), scene_b = scene_of(device.get(), b);
    Collisions found{&a, &b, {}, {}};
    rtcCollide(scene_a.get(), scene_b.get(), collect, &found);
    Pairs expected;
    for (unsigned i = 0; i < spheres.size(); ++i)
      for (unsigned j = 0; j < others.size(); ++j)
        if (oracle::sign_gap({spheres[i].center, spheres[i].radius}, {others[j].center, others[j].radius}) <=
            0)
          expected.emplace(i, j);
    CHECK(found.touching == expected);
  }
}
