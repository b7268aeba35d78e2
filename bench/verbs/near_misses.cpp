/// \file Near misses: nanoseconds per bullet to find the sphere that it passes most closely, up to half a
/// meter away, in a crowd. `x_first_impact` is the time ÷ that of the first impacts of the same bullets.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bench/measure/crowd_shots.hpp>
#include <bench/measure/median.hpp>
#include <bench/measure/timing.hpp>
#include <bench/suite_size.hpp>
#include <sphaera/sphaera.hpp>
#include <string>
#include <vector>

namespace sphaera::bench::near_misses {
namespace {

constexpr double max_distance = 0.5;  // meters
constexpr int rounds = 5;

struct Case {
  const char* name;
  double radius;  ///< of a bullet, meters
  bool moving;    ///< people walk
};

constexpr Case cases[] = {{"rest", 0, false}, {"moving", 0, true}, {"radius", 0.05, false}};

/// True if the near misses of the first bullets equal those of brute force.
bool is_right(const Scene& scene, std::span<const Bullet> bullets, std::span<const NearMiss> found) {
  const std::size_t checked = std::min<std::size_t>(bullets.size(), 64);
  const auto truth = scene.near_misses(bullets.first(checked), max_distance, {.search = Search::brute_force});
  return std::ranges::equal(truth, found.first(checked), [](const NearMiss& a, const NearMiss& b) {
    return a.sphere == b.sphere && a.distance == b.distance;
  });
}

void near_misses(benchmark::State& state, const Case& c, std::uint64_t people, int threads) {
  people = sized(people);
  const CrowdShots shots(people, sized(500'000), c.radius, c.moving);
  const Scene scene = Scene::build(shots.people, {.velocities = shots.velocities, .horizon = shots.horizon});
  std::vector<NearMiss> found(shots.bullets.size());
  std::vector<Impact> impacts(shots.bullets.size());
  TimedArena arena(threads, Clock::cpu);
  const auto ask = [&] { scene.near_misses(shots.bullets, max_distance, found); };
  arena.seconds_of(ask);  // warm-up: touches the pages and starts the threads
  std::vector<double> seconds, impact_seconds;
  while (state.KeepRunning()) {
    seconds.push_back(arena.seconds_of(ask));
    impact_seconds.push_back(arena.seconds_of([&] { scene.first_impact(shots.bullets, impacts); }));
    state.SetIterationTime(seconds.back());
  }
  if (!is_right(scene, shots.bullets, found)) return wrong(state, "near misses differ from brute force");
  const auto n = static_cast<double>(found.size());
  const auto count = std::ranges::count_if(found, [](const NearMiss& near) { return near.sphere >= 0; });
  state.counters["ns"] = 1e9 * median(seconds) / n;
  state.counters["x_first_impact"] = median_ratio(seconds, impact_seconds);
  state.counters["near"] = static_cast<double>(count) / n;
}

bool register_near_misses() {
  for (const Case& c : cases) {
    for (const std::uint64_t people : {10'000, 100'000, 1'000'000}) {
      for (const int threads : {1, 2}) {
        const std::string name = std::string("near_misses/") + c.name + "/" +
                                 label({workload::Kind::crowd, people}) +
                                 "/threads:" + std::to_string(threads);
        register_rounds(name, rounds,
                        [=](benchmark::State& state) { near_misses(state, c, people, threads); });
      }
    }
  }
  return true;
}

[[maybe_unused]] const bool registered = register_near_misses();

}  // namespace
}  // namespace sphaera::bench::near_misses
