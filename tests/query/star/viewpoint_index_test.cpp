/// \file Viewpoint indexes that the caller holds: the same bytes as without them, for small batches, too;
/// which indexes are refused; what is counted.

#include <new>
#include <sphaera/scene.hpp>
#include <tests/catch.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>
#include <vector>

namespace sphaera {
namespace {

constexpr Vec3 lamp{3, -2, 1};

/// Small balls in a disc around the lamp, and a few large ones.
std::vector<Sphere> bodies_around_lamp(std::size_t n, test::Random& random) {
  std::vector<Sphere> spheres;
  for (std::size_t i = 0; i < n; ++i)
    spheres.push_back({lamp + Vec3{random.between(-900, 900), random.between(-900, 900), 20 * random.bell()},
                       i % 50 == 0 ? random.between(1, 30) : random.between(0.1, 2)});
  return spheres;
}

std::vector<Segment> segments_to_lamp(std::size_t n, test::Random& random) {
  std::vector<Segment> segments;
  for (std::size_t i = 0; i < n; ++i)
    segments.push_back(
        {{random.between(-1000, 1000), random.between(-1000, 1000), 30 * random.bell()}, lamp});
  return segments;
}

}  // namespace

TEST_CASE("a batch of any size is answered through an index that the caller holds", "[query][stars]") {
  test::Random random(test::seed());
  const Scene scene = Scene::build(bodies_around_lamp(3000, random));
  const std::vector<ViewpointIndex> held{scene.viewpoint_index({5, 5, 5}), scene.viewpoint_index(lamp)};
  REQUIRE(held[1].pays());
  CHECK(held[1].point() == lamp);
  CHECK(held[1].bytes() > 3000 * 20);
  CHECK(held[1].boxes() > 0);
  CHECK(scene.info().viewpoint_index_bytes == 0);
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{40}, std::size_t{1500}}) {
    const std::vector<Segment> segments = segments_to_lamp(n, random);
    QueryStats with, without;
    const QueryOptions with_indexes{.viewpoint_indexes = held, .stats = &with};
    const QueryOptions without_indexes{.automatic_viewpoint_indexes = false, .stats = &without};
    CHECK(scene.blocked(segments, with_indexes) == scene.blocked(segments, without_indexes));
    CHECK(with.in_viewpoint_indexes > 0);
    CHECK(with.in_viewpoint_indexes <=
          n);  // the sphere that blocked the previous segment is tested first, without an index
    with = {};
    CHECK(
        test::all_same(scene.first_hit(segments, with_indexes), scene.first_hit(segments, without_indexes)));
    CHECK(test::all_same(scene.all_hits(segments, with_indexes).items,
                         scene.all_hits(segments, without_indexes).items));
    CHECK(with.in_viewpoint_indexes == 2 * n);
    CHECK(without.in_viewpoint_indexes == 0);
  }
}

TEST_CASE("the light of many stars goes through the indexes that the caller holds", "[query][stars]") {
  test::Random random(test::seed());
  const Scene scene = Scene::build(bodies_around_lamp(2000, random));
  std::vector<Star> stars;
  std::vector<Source> sources;
  std::vector<ViewpointIndex> held;
  for (int i = 0; i < 4; ++i) {
    const Vec3 center = lamp + Vec3{100.0 * i, 0, 0};
    stars.push_back(Star::at(center, 0.25)), sources.push_back({stars.back(), 10});
    held.push_back(scene.viewpoint_index(center, {.threads = 1}));
  }
  const Star sun = Star::at_infinity({1, 1, -1}, 0.01);
  stars.push_back(sun), held.push_back(scene.viewpoint_index(sun));
  REQUIRE(held.back().pays());
  CHECK(held.back().star().direction == sun.direction);
  stars.push_back(Star::at_infinity({0, 0, 1}, 0.01));
  std::vector<Observer> observers;
  std::vector<Receiver> receivers;
  for (const Segment& way : segments_to_lamp(60, random)) {
    observers.push_back({way.from + Vec3{0, 0, 100}}), receivers.push_back({observers.back(), {0, 0, -1}});
  }
  QueryStats stats;
  const QueryOptions with_indexes{.viewpoint_indexes = held, .stats = &stats};
  CHECK(test::all_same(scene.starlight(stars, observers, with_indexes), scene.starlight(stars, observers)));
  CHECK(stats.in_viewpoint_indexes == 5 * observers.size());
  CHECK(test::all_same(scene.irradiance(sources, receivers, with_indexes),
                       scene.irradiance(sources, receivers)));
}

TEST_CASE("rays in the direction of a star at infinity go through its index", "[query][stars]") {
  test::Random random(test::seed());
  const Scene scene = Scene::build(bodies_around_lamp(3000, random));
  const Star sun = Star::at_infinity({-2, 1.9, 1.8}, 0);
  const std::vector<ViewpointIndex> held{scene.viewpoint_index(sun)};
  REQUIRE(held[0].pays());
  std::vector<Ray> rays;
  for (const Segment& way : segments_to_lamp(200, random)) rays.push_back({way.from, sun.direction});
  QueryStats stats;
  const QueryOptions with_indexes{.viewpoint_indexes = held, .stats = &stats};
  CHECK(test::all_same(scene.first_hit(rays, with_indexes), scene.first_hit(rays)));
  CHECK(test::all_same(scene.all_hits(rays, with_indexes).items, scene.all_hits(rays).items));
  CHECK(stats.in_viewpoint_indexes == 2 * rays.size());
  CHECK(scene.blocked(rays, with_indexes) == scene.blocked(rays));
}

TEST_CASE("a held index is found by any end or direction that all rays share", "[query][stars]") {
  test::Random random(test::seed());
  const Scene scene = Scene::build(bodies_around_lamp(3000, random));
  const std::vector<ViewpointIndex> sun{scene.viewpoint_index(Star::at_infinity({1, 1, -1}, 0))};
  REQUIRE(sun[0].pays());
  QueryStats stats;
  const std::vector<Ray> twins(50, Ray{lamp + Vec3{0, 0, 50}, {1, 1, -1}});  // one origin, one direction
  CHECK(test::all_same(scene.first_hit(twins, {.viewpoint_indexes = sun, .stats = &stats}),
                       scene.first_hit(twins)));
  CHECK(stats.in_viewpoint_indexes == twins.size());
}

TEST_CASE("a star at infinity that is too large for an index is answered through the scene's own index",
          "[query][stars]") {
  test::Random random(test::seed());
  const Scene scene = Scene::build(bodies_around_lamp(300, random));
  const Star large = Star::at_infinity({1, 1, -1}, 0.3);
  const std::vector<ViewpointIndex> held{scene.viewpoint_index(large)};
  std::vector<Observer> observers;
  for (const Segment& way : segments_to_lamp(40, random)) observers.push_back({way.from});
  QueryStats stats;
  const std::span<const Star> one(&large, 1);
  CHECK(test::all_same(scene.starlight(one, observers, {.viewpoint_indexes = held, .stats = &stats}),
                       scene.starlight(one, observers)));
  CHECK(stats.in_viewpoint_indexes == 0);
}

TEST_CASE("a viewpoint index is valid until its scene changes, and only for that scene", "[query][stars]") {
  test::Random random(test::seed());
  const std::vector<Sphere> spheres = bodies_around_lamp(200, random);
  const std::vector<Segment> segments = segments_to_lamp(3, random);
  Scene scene = Scene::build(spheres);
  const Scene twin = Scene::build(spheres);
  const auto refused = [&](const Scene& asked, const std::vector<ViewpointIndex>& held) {
    try {
      (void)asked.blocked(segments, {.viewpoint_indexes = held});
    } catch (const Error& error) {
      return error.code() == ErrorCode::invalid_argument && error.element() == 1;
    }
    return false;
  };
  std::vector<ViewpointIndex> held{scene.viewpoint_index(lamp), scene.viewpoint_index({1, 2, 3})};
  CHECK(!refused(scene, held));
  CHECK(refused(twin, {twin.viewpoint_index(lamp), held[0]}));
  CHECK(refused(scene, {held[0], ViewpointIndex()}));
  const Scene moved = std::move(scene);
  CHECK(!refused(moved, held));
  Scene changing = Scene::build(spheres);
  held = {changing.viewpoint_index(lamp), changing.viewpoint_index(lamp)};
  changing.set_enabled(std::vector<std::int64_t>{7}, false);
  held[0] = changing.viewpoint_index(lamp);
  CHECK(refused(changing, held));
  held[1] = changing.viewpoint_index(lamp);
  CHECK(!refused(changing, held));
  changing.update(std::vector<Vec3>(spheres.size()));
  held[0] = changing.viewpoint_index(lamp);
  CHECK(refused(changing, held));
}

TEST_CASE("viewpoint_index says why it cannot build an index", "[query][stars]") {
  test::Random random(test::seed());
  const Scene scene = Scene::build(bodies_around_lamp(500, random));
  const auto code_of = [&](const Vec3& point, const ViewpointIndexOptions& options) {
    return test::refusal([&] { (void)scene.viewpoint_index(point, options); }).code;
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(code_of({0, nan, 0}, {}) == ErrorCode::invalid_argument);
  CHECK(code_of({0, 0x1p201, 0}, {}) == ErrorCode::invalid_argument);
  CHECK_THROWS_AS(scene.viewpoint_index(Star::at_infinity({}, 0)), Error);
  CHECK(code_of({}, {.threads = -1}) == ErrorCode::invalid_argument);
  CHECK(code_of({}, {.memory_limit = 100}) == ErrorCode::out_of_memory);
  std::stop_source source;
  source.request_stop();
  CHECK(code_of({}, {.stop = source.get_token()}) == ErrorCode::cancelled);
}

TEST_CASE("an index of no spheres helps no query and harms none", "[query][stars]") {
  const Scene empty;
  const std::vector<ViewpointIndex> held{empty.viewpoint_index(lamp)};
  CHECK(!held[0].pays());
  CHECK(held[0].bytes() == 0);
  CHECK(held[0].boxes() == 0);
  CHECK(empty.blocked(std::vector<Segment>{{{}, lamp}}, {.viewpoint_indexes = held}) ==
        std::vector<std::uint8_t>{0});
}

}  // namespace sphaera
