#include <algorithm>
#include <base/validate.hpp>
#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <tests/attack/formats.hpp>
#include <tests/attack/use.hpp>
#include <tests/same.hpp>

namespace sphaera::attack {
namespace {

/// Calls work(); an Error, for input that a reader has let through, is a fault.
template <class Work>
auto expect(const std::string& what, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Fault(what + " refuses what the reader accepts: " + error.what());
  }
}

QueryOptions by(Search search, std::span<const std::int64_t> ignore = {}) {
  return {.ignore = ignore, .search = search, .threads = 1};
}

template <class Ask>
void compare(const std::string& what, std::span<const std::int64_t> ignore, const Ask& ask) {
  const auto answers = expect(what, [&] { return ask(by(Search::index, ignore)); });
  const auto others = expect(what, [&] { return ask(by(Search::brute_force, ignore)); });
  require(test::all_same(answers, others), what + ": index and brute force differ");
}

const Scene& scene_to_ask() {
  static const Scene scene = Scene::build(spheres_to_ask(), {.threads = 1});
  return scene;
}

/// Rays between the centers of spheres, and past them.
std::vector<Ray> rays_through(std::span<const Sphere> spheres) {
  constexpr std::size_t most = 6;
  std::vector<Ray> rays{{{-20, 0.1, 0.2}, {1, 0, 0}}, {{0, 0, 0}, {0.3, 0.2, 0.1}}};
  for (std::size_t i = 0; i + 1 < spheres.size() && i < most; ++i) {
    const Vec3 way = spheres[i + 1].center - spheres[i].center;
    const Ray ray{spheres[i].center - way, way};
    if (base::valid(ray)) rays.push_back(ray);
  }
  return rays;
}

void ask(const Scene& scene) {
  const std::vector<Ray> rays = rays_through(scene.spheres());
  std::vector<Vec3> points;
  std::vector<Ball> balls;
  for (const Ray& ray : rays) points.push_back(ray.origin), balls.push_back({ray.origin, 1});
  compare("first_hit", {}, [&](const QueryOptions& options) { return scene.first_hit(rays, options); });
  compare("blocked", {}, [&](const QueryOptions& options) { return scene.blocked(rays, options); });
  compare("all_hits", {}, [&](const QueryOptions& options) { return scene.all_hits(rays, options).items; });
  compare("nearest", {}, [&](const QueryOptions& options) { return scene.nearest(points, 3, options); });
  compare("within", {}, [&](const QueryOptions& options) { return scene.within(balls, options).items; });
}

/// Starlight at two points, of the stars that are no spheres of the scene.
void look_at(const SceneFile& file, const Scene& scene) {
  std::vector<Star> stars;
  for (const SceneStar& star : file.stars) {
    if (!star.is_sphere()) stars.push_back(star.star);
  }
  const std::vector<Observer> observers{{{1, 2, 3}}, {{-7, 0.5, 0}}};
  if (stars.empty()) return;
  compare("starlight", {},
          [&](const QueryOptions& options) { return scene.starlight(stars, observers, options); });
}

bool fits(std::size_t size, std::size_t spheres) { return size == 0 || size == spheres; }

void check(const SceneFile& scene) {
  const std::size_t n = scene.spheres.size();
  for (const Sphere& sphere : scene.spheres) require(base::valid(sphere), "an invalid sphere is accepted");
  require(fits(scene.names.size(), n) && fits(scene.velocities.size(), n), "lists differ in length");
  require(fits(scene.layers.size(), n) && fits(scene.resistances.size(), n), "lists differ in length");
  require(scene.layer_names.size() <= static_cast<std::size_t>(max_layers), "too many layers are accepted");
  for (std::size_t i = 0; i < n; ++i) require(!scene.layer_name(i).empty(), "a layer has no name");
  for (const SceneStar& star : scene.stars) {
    require(base::valid(star.star), "an invalid star is accepted");
    require(!star.is_sphere() || static_cast<std::size_t>(star.sphere) < n,
            "a star is a sphere that is not there");
  }
  for (const auto& rotation : scene.rotations) require(base::valid(rotation.spin), "an invalid spin");
}

}  // namespace

std::span<const Sphere> spheres_to_ask() {
  static const std::vector<Sphere> spheres{{{0, 0, 0}, 1},     {{3, 0, 0}, 1},      {{0, 5, 0}, 2},
                                           {{1, 2, 30}, 4},    {{-8, 1, 0}, 0.5},   {{0, 0, 9}, 1e-9},
                                           {{1e9, 0, 0}, 1e6}, {{0, -1e3, 0}, 300}, {{2, 2, 2}, 0.25}};
  return spheres;
}

void use(const SceneFile& file) {
  check(file);
  const Scene scene = expect(
      "Scene::build", [&] { return Scene::build(file.spheres, {.layers = file.layers, .threads = 1}); });
  ask(scene);
  look_at(file, scene);
}

void use(const Motion& ephemeris) {
  require(!ephemeris.samples().empty(), "an ephemeris without samples is accepted");
  double last = -infinity;
  for (const MotionSample& sample : ephemeris.samples()) {
    require(sample.time > last, "times do not ascend");
    last = sample.time;
    require(base::valid(sample.position) && base::is_finite(sample.velocity), "an invalid sample");
  }
}

void use(const files::QueryChunk<Ray>& rays) {
  const Scene& scene = scene_to_ask();
  compare("first_hit", rays.ignore,
          [&](const auto& options) { return scene.first_hit(rays.queries, options); });
  compare("blocked", rays.ignore, [&](const auto& options) { return scene.blocked(rays.queries, options); });
  compare("all_hits", rays.ignore,
          [&](const auto& options) { return scene.all_hits(rays.queries, options).items; });
}

void use(const files::QueryChunk<Observer>& observers) {
  const std::vector<Star> stars{Star::at({0, 0, 90}, 5), Star::at_infinity({1, 0.1, 0}, 0.01)};
  compare("starlight", {},
          [&](const auto& options) { return scene_to_ask().starlight(stars, observers.queries, options); });
}

void use(const files::QueryChunk<files::Station>& stations) {
  for (const files::Station& station : stations.queries) {
    require(base::is_finite(station.longitude) && station.latitude >= -90 && station.latitude <= 90,
            "an invalid station is accepted");
  }
}

void use(const files::QueryChunk<Receiver>& receivers) {
  const std::vector<Source> sources{{Star::at({0, 0, 90}, 5), 1e20}};
  compare("irradiance", {}, [&](const auto& options) {
    return scene_to_ask().irradiance(sources, receivers.queries, options);
  });
}

void use(const files::QueryChunk<Bullet>& bullets) {
  const Scene& scene = scene_to_ask();
  const FlightOptions flight{.bounces = 2, .pierces = 1};
  compare("shoot", bullets.ignore,
          [&](const auto& options) { return scene.all_impacts(bullets.queries, flight, options).items; });
  compare("near_misses", bullets.ignore,
          [&](const auto& options) { return scene.near_misses(bullets.queries, 2, options); });
}

void use(const files::QueryChunk<Vec3>& points) {
  compare("nearest", {},
          [&](const auto& options) { return scene_to_ask().nearest(points.queries, 3, options); });
}

void use(const files::QueryChunk<Ball>& balls) {
  compare("within", {},
          [&](const auto& options) { return scene_to_ask().within(balls.queries, options).items; });
}

}  // namespace sphaera::attack
