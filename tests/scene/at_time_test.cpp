/// \file Spheres that are moved or inserted at the places where they are at a given time.

#include <sphaera/error.hpp>
#include <sphaera/scene_buffer.hpp>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/oracle/dyadic.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using oracle::Dyadic, test::Random;
using Ids = std::vector<std::int64_t>;

/// Is x the double nearest to place − time·velocity?
bool is_start(double x, double place, double time, double velocity) {
  const Dyadic exact = Dyadic(place) - Dyadic(time) * Dyadic(velocity);
  const auto distance = [&](double y) {
    const Dyadic d = Dyadic(y) - exact;
    return d.sign() < 0 ? -d : d;
  };
  const Dyadic mine = distance(x);
  return compare(mine, distance(std::nextafter(x, infinity))) <= 0 &&
         compare(mine, distance(std::nextafter(x, -infinity))) <= 0;
}
bool is_start(const Vec3& center, const Vec3& place, double time, const Vec3& velocity) {
  return is_start(center.x, place.x, time, velocity.x) && is_start(center.y, place.y, time, velocity.y) &&
         is_start(center.z, place.z, time, velocity.z);
}

struct Walkers {
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;
  Scene scene;

  Walkers(std::size_t n, Random& random)
      : spheres(test::make_spheres(test::SceneKind::crowd, n, random)), velocities(n) {
    for (Vec3& velocity : velocities) velocity = 3 * random.in_cube(1);
    scene = Scene::build(spheres, {.velocities = velocities, .horizon = {-1, 2}});
  }
};

}  // namespace

TEST_CASE("listed spheres take their places at a time, and are met there at that time", "[scene]") {
  Random random(test::seed());
  for (int round = 0; round < test::fewer_in_repeats(40); ++round) {
    Walkers walkers(30, random);
    Scene& scene = walkers.scene;
    const double time = random.one_in(8) ? 2 : random.between(-1, 2);
    const Ids ids{4, 17, 9};
    const bool faster = random.one_in(2);
    std::vector<Vec3> places, velocities;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      places.push_back(50 * random.in_cube(1));
      velocities.push_back(faster ? random.in_cube(5) : walkers.velocities[static_cast<std::size_t>(ids[i])]);
    }
    const std::span<const Vec3> given = faster ? velocities : std::span<const Vec3>();
    std::vector<RowStatus> statuses(3);
    const std::span<RowStatus> marks = random.one_in(2) ? std::span(statuses) : std::span<RowStatus>();
    if (random.one_in(2))
      scene.update(ids, VectorRows(places), given.empty() ? VectorRows() : VectorRows(velocities),
                   {.statuses = marks, .at_time = time});
    else
      scene.update(ids, places, given, {.statuses = marks, .at_time = time});
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto id = static_cast<std::size_t>(ids[i]);
      REQUIRE(is_start(scene.spheres()[id].center, places[i], time, velocities[i]));
      REQUIRE(scene.velocities()[id] == velocities[i]);
      const Neighbor nearest = scene.nearest(places[i], {.times = {&time, 1}});
      REQUIRE(nearest.distance <= -scene.spheres()[id].radius * (1 - 1e-9));
    }
    CHECK(scene.spheres()[0] == walkers.spheres[0]);
  }
}

TEST_CASE("inserted spheres take their places at a time", "[scene]") {
  Random random(test::seed(), 1);
  for (int round = 0; round < test::fewer_in_repeats(40); ++round) {
    Walkers walkers(10, random);
    const double time = random.between(-1, 2);
    const std::vector<Sphere> spheres{{random.in_cube(20), 1}, {random.in_cube(20), 2}};
    std::vector<Vec3> velocities{random.in_cube(3), random.in_cube(3)};
    std::vector<RowStatus> statuses(2);
    InsertOptions options{.velocities = velocities, .update = {.at_time = time}};
    if (random.one_in(2)) options.statuses = statuses;
    const Ids ids = walkers.scene.insert(spheres, options);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto id = static_cast<std::size_t>(ids[i]);
      REQUIRE(is_start(walkers.scene.spheres()[id].center, spheres[i].center, time, velocities[i]));
      REQUIRE(walkers.scene.velocities()[id] == velocities[i]);
    }
    options.velocities = {}, options.statuses = {};  // these rest, wherever the time
    const std::int64_t resting = walkers.scene.insert(spheres[0], options);
    CHECK(walkers.scene.spheres()[static_cast<std::size_t>(resting)] == spheres[0]);
  }
}

TEST_CASE("a snapshot's sphere takes its place at a time", "[scene]") {
  Random random(test::seed(), 2);
  Walkers walkers(10, random);
  SceneBuffer buffer(walkers.spheres, {.velocities = walkers.velocities, .horizon = {-1, 2}});
  const Ids ids{3};
  const std::vector<Vec3> places{{7, 8, 9}};
  buffer.update(ids, places, {}, {.at_time = 0.3});
  CHECK(is_start(buffer.current()->spheres()[3].center, places[0], 0.3, walkers.velocities[3]));
}

TEST_CASE("times outside of the horizon, and for all spheres, are refused", "[scene]") {
  Random random(test::seed(), 3);
  Walkers walkers(4, random);
  Scene& scene = walkers.scene;
  const Ids ids{1};
  const std::vector<Vec3> place{{1, 2, 3}}, places(4);
  const Sphere before = scene.spheres()[1];
  for (const double time : {2.5, -1.25, test::nan, infinity}) {
    std::vector<RowStatus> statuses(1);
    CHECK_THROWS_AS(scene.update(ids, place, {}, {.at_time = time}), Error);
    CHECK_THROWS_AS(scene.update(ids, place, {}, {.statuses = statuses, .at_time = time}), Error);
    CHECK_THROWS_AS(scene.insert(before, {.update = {.at_time = time}}), Error);
    CHECK_THROWS_AS(scene.insert(before, {.statuses = statuses, .update = {.at_time = time}}), Error);
  }
  CHECK_THROWS_WITH(scene.update(ids, place, {}, {.at_time = 2.5}),
                    "at_time is 2.5; give 0 or a time within the horizon of the scene, [-1, 2]");
  CHECK_THROWS_WITH(
      scene.update(places, {}, {.at_time = 1}),
      "an update of all spheres makes its own moment time 0; leave `at_time` out, or list the spheres");
  CHECK(scene.spheres()[1] == before);
  CHECK(scene.size() == 4);

  // A place from which the sphere leaves the domain within the horizon.
  const std::vector<Vec3> edge{{domain_limit, 0, 0}}, fast{{0x1p190, 0, 0}};
  const test::Refusal far = test::refusal([&] { scene.update(ids, edge, fast, {.at_time = 1}); });
  CHECK(far.element == 0);
  CHECK(scene.spheres()[1] == before);

  Scene resting = Scene::build({{{0, 0, 0}, 1}, {{5, 0, 0}, 1}});
  resting.update(ids, place, {}, {.at_time = 1e9});
  CHECK(resting.spheres()[1].center == place[0]);
  CHECK_THROWS_AS(resting.update(ids, place, {}, {.at_time = test::nan}), Error);
}

}  // namespace sphaera
