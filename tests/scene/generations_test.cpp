/// \file Generations of ids: an id that was used again is told from the old one.

#include <sphaera/error.hpp>
#include <sphaera/scene_buffer.hpp>

#include <map>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Random;

struct Handle {
  std::int64_t id;
  std::uint32_t generation;
};

Sphere anywhere(Random& random) { return {100 * random.in_cube(1), 0.5}; }

/// Spheres come and go in a scene or a buffer of scenes; each has a handle.
template <class World, class View>
void live(World& world, const View& view, Random& random) {
  std::vector<Handle> alive, dead;
  const auto remember = [&](std::int64_t id) {
    alive.push_back({id, view().generations()[static_cast<std::size_t>(id)]});
  };
  for (std::size_t id = 0; id < view().spheres().size(); ++id) remember(static_cast<std::int64_t>(id));
  for (int step = 0; step < test::fewer_in_repeats(400); ++step) {
    if (alive.empty() || random.one_in(2)) {
      remember(world.insert(anywhere(random)));
    } else {
      const auto k = static_cast<std::size_t>(random.below(static_cast<int>(alive.size())));
      world.erase(alive[k].id);
      dead.push_back(alive[k]);
      alive[k] = alive.back(), alive.pop_back();
    }
    const Scene& scene = view();
    REQUIRE(scene.generations().size() == scene.spheres().size());
    std::map<std::int64_t, std::uint32_t> erased;
    for (const Handle& h : dead) {
      REQUIRE_FALSE(scene.contains(h.id, h.generation));
      ++erased[h.id];
    }
    for (const Handle& h : alive) {
      REQUIRE(scene.contains(h.id, h.generation));
      REQUIRE(h.generation == erased[h.id]);
    }
  }
}

}  // namespace

TEST_CASE("handles of erased spheres stay dead when their ids are used again", "[scene]") {
  Random random(test::seed());
  for (const std::size_t n : {std::size_t{0}, std::size_t{20}}) {
    std::vector<Sphere> spheres;
    for (std::size_t i = 0; i < n; ++i) spheres.push_back(anywhere(random));
    Scene scene = Scene::build(spheres, {.generations = true});
    live(scene, [&]() -> const Scene& { return scene; }, random);
    SceneBuffer buffer(spheres, {.generations = true}, {.keep = 2});
    std::shared_ptr<const Scene> current;
    live(
        buffer,
        [&]() -> const Scene& {
          current = buffer.current();
          return *current;
        },
        random);
  }
}

TEST_CASE("a scene without generations keeps none, and skipped rows count as erased", "[scene]") {
  Scene scene = Scene::build({{{0, 0, 0}, 1}, {{9, 0, 0}, 1}});
  CHECK(scene.generations().empty());
  scene.erase(0);
  CHECK_FALSE(scene.contains(0, 0));
  CHECK(scene.insert(Sphere{{0, 0, 0}, 1}) == 0);
  CHECK(scene.contains(0, 0));
  CHECK_FALSE(scene.contains(0, 1));

  const std::vector<Sphere> spheres{{{0, 0, 0}, 1}, {{0, 0, 0}, -1}};
  std::vector<RowStatus> statuses(2);
  Scene skipped = Scene::build(spheres, {.statuses = statuses, .generations = true});
  CHECK((skipped.contains(0, 0) && !skipped.contains(1)));
  CHECK(skipped.insert(Sphere{{5, 0, 0}, 1}) == 1);
  CHECK(skipped.contains(1, skipped.generations()[1]));

  // A failed insertion changes no generation.
  const std::vector<std::uint32_t> before(skipped.generations().begin(), skipped.generations().end());
  skipped.erase(1);
  std::stop_source stop;
  stop.request_stop();
  std::vector<std::int64_t> ids(100);
  const std::vector<Sphere> many(100, Sphere{{1, 2, 3}, 1});
  CHECK_THROWS_AS(skipped.insert(many, ids, {.update = {.stop = stop.get_token()}}), Error);
  CHECK(skipped.generations().size() == 2);
  CHECK(skipped.generations()[1] == before[1] + 1);
  CHECK(skipped.insert(Sphere{{5, 0, 0}, 1}) == 1);
  CHECK(skipped.contains(1, before[1] + 1));
}

}  // namespace sphaera
