/// \file Single queries that write into a span: the first items of the answer that the oracle finds, the
/// number of all of them, and nothing behind.

#include <sphaera/scene.hpp>

#include <algorithm>
#include <array>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/inputs/scene_queries.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/oracle/scene.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::SceneKind, test::Random;

constexpr double promised_half_ulps = 2;  ///< the error of a number that the headers promise: 1 ulp

/// Calls write(span) with spans too short, just long enough and too long for `count` items. right(j, item)
/// says whether item j is right.
template <class Item, class Write, class Right>
bool writes(std::size_t count, const Item& untouched, const Write& write, const Right& right) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, count / 2, count, count + 3}) {
    std::vector<Item> items(size, untouched);
    if (write(std::span(items)) != count) return false;
    for (std::size_t j = 0; j < size; ++j)
      if (j < count ? !right(j, items[j]) : !test::same(items[j], untouched)) return false;
  }
  return true;
}

template <class Path>
bool hits_are_right(const Scene& scene, const std::vector<Sphere>& spheres, const Path& path) {
  const std::vector<oracle::SphereHit> expected = oracle::all_hits({spheres}, path);
  const auto right = [&](std::size_t j, const Hit& hit) {
    if (hit.sphere != expected[j].sphere || hit.contact != expected[j].contact) return false;
    const oracle::Sight sight = oracle::sight(path, spheres[static_cast<std::size_t>(hit.sphere)]);
    const auto roots = oracle::roots(sight);
    if (!roots) return hit.t_enter == sight.t_min && hit.t_exit == infinity;  // a path of no length
    const bool enter = hit.contact == Contact::starts_inside
                           ? hit.t_enter == sight.t_min
                           : oracle::error_in_half_ulps(hit.t_enter, roots->t1) <= promised_half_ulps;
    return enter && oracle::error_in_half_ulps(hit.t_exit, roots->t2) <= promised_half_ulps;
  };
  const Hit untouched{-7, -7, -7, Contact::starts_inside};
  return writes(
      expected.size(), untouched, [&](std::span<Hit> out) { return scene.all_hits(path, out); }, right);
}

bool ids_are_right(const Scene& scene, const std::vector<Sphere>& spheres, const Ball& ball) {
  const std::vector<std::int64_t> expected = oracle::within({spheres}, ball);
  return writes(
      expected.size(), std::int64_t{-7}, [&](std::span<std::int64_t> out) { return scene.within(ball, out); },
      [&](std::size_t j, std::int64_t id) { return id == expected[j]; });
}

/// All of the span is written; its size is k.
bool neighbors_are_right(const Scene& scene, const std::vector<Sphere>& spheres, const Vec3& point) {
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{5}, spheres.size() + 2}) {
    const std::vector<std::int64_t> expected = oracle::nearest({spheres}, point, k);
    std::vector<Neighbor> found(k, Neighbor{7, 7});
    scene.nearest(point, found);
    for (std::size_t j = 0; j < k; ++j) {
      if (j >= expected.size()) {
        if (!test::same(found[j], Neighbor{})) return false;
        continue;
      }
      const oracle::Real distance =
          oracle::signed_distance(point, spheres[static_cast<std::size_t>(expected[j])]);
      if (found[j].sphere != expected[j] ||
          oracle::error_in_half_ulps(found[j].distance, distance) > promised_half_ulps)
        return false;
    }
  }
  return true;
}

/// The impacts of a bullet that passes through everything: all spheres that it meets, by entry and id.
std::vector<Impact> passed_by_oracle(const test::MovingScene& world, const Bullet& bullet) {
  std::vector<Impact> met;
  std::vector<oracle::Sight> sights;
  for (std::size_t i = 0; i < world.spheres.size(); ++i) {
    const oracle::Sight& sight = sights.emplace_back(world.sight(bullet, i));
    const Contact contact = oracle::contact(sight);
    if (contact == Contact::miss) continue;
    met.emplace_back();
    met.back().sphere = static_cast<std::int64_t>(i), met.back().contact = contact;
  }
  const auto sight = [&](const Impact& impact) { return sights[static_cast<std::size_t>(impact.sphere)]; };
  std::ranges::stable_sort(
      met, [&](const Impact& a, const Impact& b) { return oracle::compare_entries(sight(a), sight(b)) < 0; });
  for (std::size_t j = 0; j < met.size(); ++j) met[j].bounce = static_cast<decltype(Impact::bounce)>(j);
  return met;
}

bool impacts_are_right(const Scene& scene, const test::MovingScene& world, const Bullet& bullet) {
  constexpr double everything = 1e9;
  const FlightOptions pierce{.pierces = 1'000'000, .budget = everything};
  const std::vector<Impact> expected = passed_by_oracle(world, bullet);
  const auto right = [&](std::size_t j, const Impact& impact) {
    return impact.sphere == expected[j].sphere && impact.contact == expected[j].contact &&
           impact.bounce == expected[j].bounce && impact.outcome == Outcome::passes;
  };
  Impact untouched;
  untouched.sphere = -7;
  return writes(
      expected.size(), untouched,
      [&](std::span<Impact> out) { return scene.all_impacts(bullet, out, pierce); }, right);
}

}  // namespace

TEST_CASE("hits, ids and neighbors written into spans are those of the oracle", "[query][spans]") {
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    Random random(test::seed(), static_cast<std::uint64_t>(scene_kind));
    INFO(test::name(scene_kind));
    const std::vector<Sphere> spheres = test::make_spheres(scene_kind, 60, random);
    const Scene scene = Scene::build(spheres);
    const auto n = static_cast<std::size_t>(test::fewer_unless_all(400));
    std::size_t wrong = 0;
    for (const Ray& ray : test::make_rays(spheres, n, random)) wrong += !hits_are_right(scene, spheres, ray);
    for (const Segment& segment : test::make_segments(spheres, n, random))
      wrong += !hits_are_right(scene, spheres, segment);
    CHECK(wrong == 0);
    for (const Ball& ball : test::make_balls(spheres, n, random))
      wrong += !ids_are_right(scene, spheres, ball);
    CHECK(wrong == 0);
    for (const Vec3& point : test::make_points(spheres, n / 4, random))
      wrong += !neighbors_are_right(scene, spheres, point);
    CHECK(wrong == 0);
  }
}

TEST_CASE("impacts written into a span are those of the oracle", "[query][spans]") {
  std::size_t wrong = 0, several = 0;
  for (std::uint64_t stream = 0; stream < test::fewer_in_repeats(20u); ++stream) {
    Random random(test::seed(), 700 + stream);
    test::MovingScene world{
        test::make_spheres(stream % 2 ? SceneKind::uniform : SceneKind::nested, 60, random), {}};
    if (random.one_in(2)) world.velocities = test::make_velocities(world.spheres, random);
    const Scene scene = world.build();
    for (const Bullet& bullet : test::bullets_at(world, 40, random)) {
      wrong += !impacts_are_right(scene, world, bullet);
      several += scene.all_impacts(bullet, std::span<Impact>(), {.pierces = 9, .budget = 9}) > 1;
    }
  }
  CHECK(wrong == 0);
  CHECK(several > test::fewer_in_repeats(40u));
}

}  // namespace sphaera
