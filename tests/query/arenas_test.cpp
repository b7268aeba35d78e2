/// \file Batches in the host's arenas, and predicates that wait for other work.

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <sphaera/scene.hpp>

#include <atomic>
#include <tests/effort.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>
#include <thread>
#include <vector>

#include <tests/catch.hpp>

namespace sphaera {

using test::SceneKind, test::fewer_in_repeats, test::Random;

TEST_CASE("a batch answers in arenas with more threads than they say, and while its predicate waits",
          "[query]") {
  Random random(test::seed());
  const Scene scene = Scene::build(test::make_spheres(SceneKind::crowd, 2000, random));
  std::vector<Ray> rays;
  for (int i = 0; i < 3000; ++i)
    rays.push_back({scene.spheres()[static_cast<std::size_t>(i) % 2000].center, random.direction()});
  const HitLists right = scene.all_hits(rays);
  tbb::task_arena small(1, 0);
  std::vector<std::thread> hosts;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 3; ++i)
    hosts.emplace_back([&] {
      for (int k = 0; k < 20; ++k)
        small.execute(
            [&] { wrong += !test::all_same(scene.all_hits(rays, {.grain = 7}).items, right.items); });
    });
  for (std::thread& host : hosts) host.join();
  CHECK(wrong == 0);
  const SpherePredicate waits = [](std::size_t, std::int64_t) {
    tbb::parallel_for(0, 4, [](int) {});
    return true;
  };
  for (int k = 0; k < fewer_in_repeats(50); ++k)
    CHECK(
        test::all_same(scene.all_hits(rays, {.accept = waits, .threads = 4, .grain = 1}).items, right.items));
}

}  // namespace sphaera
