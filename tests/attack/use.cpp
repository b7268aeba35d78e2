#include <algorithm>
#include <base/validate.hpp>
#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <tests/attack/formats.hpp>
#include <tests/attack/use.hpp>
#include <tests/queries/every_query.hpp>

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

/// Every query that has inputs in `questions`.
void ask(const Scene& scene, const test::Questions& questions, std::span<const std::int64_t> ignore = {}) {
  for (const test::Query* query : test::every_query()) {
    if (query->count(scene, questions) == 0) continue;
    const auto rows = [&](Search search) {
      const QueryOptions options{.ignore = ignore, .search = search, .threads = 1};
      return expect(query->name,
                    [&] { return query->rows(scene, questions, query->fitting(scene, questions, options)); });
    };
    require(rows(Search::index) == rows(Search::brute_force), query->name + ": index and brute force differ");
  }
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

/// Those whose flight under gravity is soon computed: near the origin, not fast and short. Others may need a
/// million chords, which take a second.
std::vector<Bullet> fallers_of(std::span<const Bullet> bullets) {
  constexpr double largest = 1e3, longest = 2;
  const auto is_small = [](const Vec3& v) { return dot(v, v) <= largest * largest; };
  std::vector<Bullet> fallers;
  for (Bullet bullet : bullets) {
    if (!is_small(bullet.origin) || !is_small(bullet.velocity)) continue;
    bullet.duration = std::min(bullet.duration, longest);
    fallers.push_back(bullet);
  }
  return fallers;
}

/// Questions along some rays, and starlight of the stars that are no spheres of the scene.
test::Questions questions_of(const SceneFile& file) {
  const std::vector<Ray> rays = rays_through(file.spheres);
  test::Questions questions = test::questions_along(rays, rays.size());
  std::erase_if(questions.segments, [](const Segment& s) { return !base::valid(s); });
  std::erase_if(questions.bullets, [](const Bullet& b) { return !base::valid(b); });
  questions.fallers = fallers_of(questions.bullets);
  questions.spheres = rays.size();
  questions.stars.clear();
  for (const SceneStar& star : file.stars)
    if (!star.is_sphere()) questions.stars.push_back(star.star);
  return questions;
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
  ask(scene, questions_of(file));
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

void use(const files::QueryChunk<files::Station>& stations) {
  for (const files::Station& station : stations.queries) {
    require(base::is_finite(station.longitude) && station.latitude >= -90 && station.latitude <= 90,
            "an invalid station is accepted");
  }
}

void use(test::Questions questions, std::span<const std::int64_t> ignore) {
  questions.stars = {Star::at({0, 0, 90}, 5), Star::at_infinity({1, 0.1, 0}, 0.01)};
  questions.sources = {{questions.stars[0], 1e20}};
  questions.flight = {.bounces = 2, .pierces = 1};
  questions.max_distance = 2;
  questions.spheres = 0;
  questions.fallers = fallers_of(questions.bullets);
  ask(scene_to_ask(), questions, ignore);
}

}  // namespace sphaera::attack
