/// \file within and count_within: the spheres that have a point in common with a ball, as the oracle decides.

#include <sphaera/scene.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/oracle/decide.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

std::vector<std::int64_t> by_oracle(const Ball& ball, const std::vector<Sphere>& spheres) {
  std::vector<std::int64_t> ids;
  for (std::size_t id = 0; id < spheres.size(); ++id)
    if (oracle::sign_gap(ball, {spheres[id].center, spheres[id].radius}) <= 0)
      ids.push_back(static_cast<std::int64_t>(id));
  return ids;
}

}  // namespace

TEST_CASE("the spheres within a ball are those that the oracle finds, by id", "[query]") {
  test::Random random(test::seed());
  const int count = test::fewer_in_repeats(400);
  for (const test::SceneKind scene_kind : test::kinds_to_try()) {
    INFO(test::name(scene_kind));
    const std::vector<Sphere> spheres = test::make_spheres(scene_kind, 60, random);
    const std::vector<Ball> balls = test::make_balls(spheres, static_cast<std::size_t>(count), random);
    const Scene scene = Scene::build(spheres);
    const IdLists lists = scene.within(balls);
    const std::vector<std::uint64_t> counts = scene.count_within(balls);
    int wrong = 0;
    for (std::size_t i = 0; i < balls.size(); ++i) {
      const std::vector<std::int64_t> expected = by_oracle(balls[i], spheres);
      wrong += !test::all_same(lists[i], expected) || counts[i] != expected.size();
      wrong += scene.within(balls[i]) != expected || scene.count_within(balls[i]) != expected.size();
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a sphere that touches a ball, holds it or lies in it is within it", "[query]") {
  const Scene scene =
      Scene::build(std::vector<Sphere>{{{5, 0, 0}, 1}, {{0, 0, 0}, 100}, {{0, 1, 0}, 0.5}, {{0, 9, 0}, 1}});
  CHECK(scene.within(Ball{{2, 0, 0}, 2}) == std::vector<std::int64_t>{0, 1, 2});
  CHECK(scene.within(Ball{{2, 0, 0}, 0x1.fffffffffffffp+0}) == std::vector<std::int64_t>{1, 2});
  CHECK(scene.within(Ball{{0, 10, 0}, 0}) == std::vector<std::int64_t>{1, 3});  // a point on a surface
  CHECK(scene.count_within(Ball{{2, 0, 0}, 2}) == 3);
  CHECK(scene.count_within(Ball{{300, 0, 0}, 0}) == 0);
}

}  // namespace sphaera
