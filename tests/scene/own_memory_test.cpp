/// \file Spans into the scene's own arrays as inputs: a change has the same result as with copies of them.

#include <sphaera/scene_buffer.hpp>

#include <algorithm>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using Ids = std::vector<std::int64_t>;
using test::Random;

/// What a scene must hold, by id.
struct Arrays {
  std::vector<Sphere> spheres;
  std::vector<std::uint8_t> layers;
  std::vector<std::uint32_t> owners;
  std::vector<Vec3> velocities;

  explicit Arrays(const Scene& scene)
      : spheres(scene.spheres().begin(), scene.spheres().end()),
        layers(scene.layers().begin(), scene.layers().end()),
        owners(scene.owners().begin(), scene.owners().end()),
        velocities(scene.velocities().begin(), scene.velocities().end()) {}
  void take(std::size_t to, const Arrays& from, std::size_t i) {
    if (to == spheres.size()) {
      spheres.emplace_back(), layers.emplace_back(), owners.emplace_back(), velocities.emplace_back();
    }
    spheres[to] = from.spheres[i], layers[to] = from.layers[i];
    owners[to] = from.owners[i], velocities[to] = from.velocities[i];
  }
};

constexpr Horizon own_horizon{0, 1};

Scene moving_scene(std::size_t n, Random& random) {
  const std::vector<Sphere> spheres = make_spheres(test::SceneKind::uniform, n, random);
  std::vector<std::uint8_t> layers;
  std::vector<std::uint32_t> owners;
  for (std::size_t i = 0; i < n; ++i)
    layers.push_back(std::uint8_t(random.bits() % 64)), owners.push_back(std::uint32_t(random.bits() % 9));
  const std::vector<Vec3> velocities = make_velocities(spheres, random);
  return Scene::build(spheres,
                      {.layers = layers, .owners = owners, .velocities = velocities, .horizon = own_horizon});
}

/// The scene holds the spheres, and answers as one that is built of them, without those of the free ids.
void check_holds(const Scene& scene, const Arrays& expected, Random& random) {
  CHECK(std::ranges::equal(scene.spheres(), expected.spheres));
  CHECK(std::ranges::equal(scene.layers(), expected.layers));
  CHECK(std::ranges::equal(scene.owners(), expected.owners));
  CHECK(std::ranges::equal(scene.velocities(), expected.velocities));
  Scene fresh = Scene::build(expected.spheres, {.layers = expected.layers,
                                                .owners = expected.owners,
                                                .velocities = expected.velocities,
                                                .horizon = own_horizon});
  Ids gone;
  for (std::int64_t id = 0; id < std::ssize(expected.spheres); ++id)
    if (!scene.contains(id)) gone.push_back(id);
  fresh.erase(gone);
  const std::vector<Ray> rays = make_rays(expected.spheres, 200, random);
  const std::vector<double> times(rays.size(), 0.5);
  CHECK(test::all_same(scene.first_hit(rays, {.layers = 0xff00ff, .times = times}),
                       fresh.first_hit(rays, {.layers = 0xff00ff, .times = times})));
}

InsertOptions own_properties(const Scene& scene) {
  return {.layers = scene.layers(), .owners = scene.owners(), .velocities = scene.velocities()};
}

Arrays inserted(const Arrays& before, Ids free) {
  Arrays expected = before;
  std::ranges::sort(free);
  for (std::size_t i = 0; i < before.spheres.size(); ++i)
    expected.take(i < free.size() ? static_cast<std::size_t>(free[i]) : expected.spheres.size(), before, i);
  return expected;
}

// Small and large arrays: memory of a freed small one is often still as it was.
const std::size_t own_sizes[] = {1, 3, 1000, test::smaller() ? 5'000u : 20'000u};

TEST_CASE("a scene's own spheres are inserted into it", "[scene][own-memory][sized]") {
  Random random(test::seed());
  for (const std::size_t n : own_sizes) {
    CAPTURE(n);
    Scene scene = moving_scene(n, random);
    for (const Ids& free : {Ids{}, n > 2 ? Ids{2, 0} : Ids{}}) {
      const Arrays before(scene);
      scene.erase(free);
      const Ids ids = scene.insert(scene.spheres(), own_properties(scene));
      CHECK(ids.size() == n);
      check_holds(scene, inserted(before, free), random);
      scene = Scene::build(before.spheres, {.layers = before.layers,
                                            .owners = before.owners,
                                            .velocities = before.velocities,
                                            .horizon = own_horizon});
    }
    const Arrays before(scene);
    std::vector<RowStatus> statuses(n);
    InsertOptions skipping = own_properties(scene);
    skipping.statuses = statuses;
    scene.insert(scene.spheres(), skipping);
    check_holds(scene, inserted(before, {}), random);
  }
}

TEST_CASE("a scene's own rows are inserted into it", "[scene][own-memory][sized]") {
  Random random(test::seed());
  for (const std::size_t n : own_sizes) {
    Scene scene = moving_scene(n, random);
    const Arrays before(scene);
    const Sphere* const first = scene.spheres().data();
    Ids ids(n);
    scene.insert(SphereRows{Strided{&first->center.x, n, sizeof *first},
                            Strided{&first->radius, n, sizeof *first}, VectorRows(scene.velocities())},
                 ids, {.layers = scene.layers(), .owners = scene.owners()});
    check_holds(scene, inserted(before, {}), random);
  }
}

/// Id i gets what id n − 1 − i had: each entry is overwritten before or after it is read.
TEST_CASE("a scene's own arrays are written to other ids", "[scene][own-memory][sized]") {
  Random random(test::seed());
  for (const std::size_t n : own_sizes) {
    CAPTURE(n);
    Scene scene = moving_scene(n, random);
    Arrays expected(scene);
    Ids reversed;
    for (std::size_t i = n; i > 0; --i) reversed.push_back(static_cast<std::int64_t>(i - 1));
    const std::vector<Vec3> centers = test::centers_of(expected.spheres);
    scene.update(reversed, centers, scene.velocities());
    for (std::size_t i = 0; i < n; ++i) expected.spheres[i].center = centers[n - 1 - i];
    std::ranges::reverse(expected.velocities);
    check_holds(scene, expected, random);

    scene.set_layers(reversed, scene.layers());
    std::ranges::reverse(expected.layers);
    check_holds(scene, expected, random);

    std::vector<RowStatus> statuses(n);
    scene.update(reversed, centers, scene.velocities(), {.statuses = statuses});
    std::ranges::reverse(expected.velocities);
    check_holds(scene, expected, random);

    const Sphere* const first = scene.spheres().data();
    scene.update(reversed, Strided{&first->center.x, n, sizeof *first}, VectorRows(scene.velocities()));
    for (std::size_t i = 0; i < n / 2; ++i)
      std::swap(expected.spheres[i].center, expected.spheres[n - 1 - i].center);
    std::ranges::reverse(expected.velocities);
    check_holds(scene, expected, random);
  }
}

TEST_CASE("a scene's own velocities become its centers", "[scene][own-memory][sized]") {
  Random random(test::seed());
  for (const std::size_t n : own_sizes) {
    CAPTURE(n);
    Scene scene = moving_scene(n, random);
    Arrays expected(scene);
    Ids reversed;
    for (std::size_t i = n; i > 0; --i) reversed.push_back(static_cast<std::int64_t>(i - 1));
    const std::vector<Vec3> velocities(n, Vec3{1, 2, 3});
    const std::vector<Vec3> before = expected.velocities;
    scene.update(reversed, scene.velocities(), velocities);
    for (std::size_t i = 0; i < n; ++i) expected.spheres[i].center = before[n - 1 - i];
    expected.velocities = velocities;
    check_holds(scene, expected, random);

    scene.update(scene.velocities(), before);
    for (std::size_t i = 0; i < n; ++i) expected.spheres[i].center = velocities[i];
    expected.velocities = before;
    check_holds(scene, expected, random);
    scene.update(scene.velocities(), scene.velocities());
    for (std::size_t i = 0; i < n; ++i) expected.spheres[i].center = before[i];
    check_holds(scene, expected, random);
  }
}

TEST_CASE("one sphere of the scene is inserted, its radius given to others", "[scene][own-memory][sized]") {
  Random random(test::seed());
  Scene scene = moving_scene(100, random);
  Arrays expected(scene);
  scene.insert(scene.spheres().subspan(41, 2), {.owners = scene.owners().subspan(7, 2)});
  for (std::size_t i = 41; i < 43; ++i) {
    expected.take(expected.spheres.size(), expected, i);
    expected.layers.back() = 0, expected.owners.back() = expected.owners[i - 34],
    expected.velocities.back() = {};
  }
  check_holds(scene, expected, random);
  scene.set_radii(Ids{3}, {&scene.spheres()[5].radius, 1});
  expected.spheres[3].radius = expected.spheres[5].radius;
  check_holds(scene, expected, random);
}

TEST_CASE("queries take a scene's own arrays", "[scene][own-memory][sized]") {
  Random random(test::seed());
  const Scene scene = moving_scene(1000, random);
  const Arrays expected(scene);
  CHECK(test::all_same(scene.nearest(scene.velocities(), 3), scene.nearest(expected.velocities, 3)));
  const Scene other = Scene::build(scene.spheres(), {.layers = scene.layers(),
                                                     .owners = scene.owners(),
                                                     .velocities = scene.velocities(),
                                                     .horizon = own_horizon});
  check_holds(other, expected, random);
}

TEST_CASE("a buffer takes the arrays of its snapshots", "[scene][own-memory][sized]") {
  Random random(test::seed());
  for (const std::size_t n : own_sizes) {
    CAPTURE(n);
    SceneBuffer buffer(moving_scene(n, random));
    const Arrays before(*buffer.current());
    {
      const Scene& now = *buffer.current();  // the buffer holds it until the change is done
      buffer.insert(now.spheres(), own_properties(now));
    }
    Arrays expected = inserted(before, {});
    check_holds(*buffer.current(), expected, random);

    Ids reversed;
    for (std::size_t i = 2 * n; i > 0; --i) reversed.push_back(static_cast<std::int64_t>(i - 1));
    const std::vector<Vec3> centers = test::centers_of(expected.spheres);
    buffer.change([&](Scene& scene) {
      scene.update(reversed, centers, scene.velocities());
      scene.set_layers(reversed, buffer.current()->layers());
      scene.insert(scene.spheres(), own_properties(scene));
    });
    for (std::size_t i = 0; i < 2 * n; ++i) expected.spheres[i].center = centers[2 * n - 1 - i];
    std::ranges::reverse(expected.velocities), std::ranges::reverse(expected.layers);
    expected = inserted(expected, {});
    check_holds(*buffer.current(), expected, random);

    const Scene& now = *buffer.current();
    buffer.update(now.velocities(), now.velocities());
    for (std::size_t i = 0; i < 4 * n; ++i) expected.spheres[i].center = expected.velocities[i];
    check_holds(*buffer.current(), expected, random);
  }
}

}  // namespace
}  // namespace sphaera
