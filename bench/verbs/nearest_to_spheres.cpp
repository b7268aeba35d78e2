/// \file `Scene::nearest_to_spheres` beside a batch of `Scene::nearest` that ignores each sphere itself:
/// nanoseconds a sphere on one thread, in turns, and the number of neighbors that differ.

#include <algorithm>
#include <bench/measure/scenes.hpp>
#include <bench/suite_size.hpp>
#include <bench/verbs/neighbor_comparison.hpp>
#include <numeric>

namespace sphaera::bench {
namespace {

void ask_nearest_to_spheres(benchmark::State& state, workload::Kind kind, std::size_t n, std::size_t k) {
  const HugeVector<Sphere> spheres = make_spheres({kind, sized(n)}, neighbor_seed);
  const Scene scene = Scene::build(spheres);
  HugeVector<Vec3> centers(spheres.size());
  std::ranges::transform(spheres, centers.begin(), &Sphere::center);
  std::vector<std::int64_t> itself(spheres.size());
  std::iota(itself.begin(), itself.end(), 0);
  std::vector<Neighbor> own(spheres.size() * k), batch(own.size());
  TimedArena arena(1, Clock::cpu);
  std::vector<double> own_seconds, batch_seconds;
  while (state.KeepRunning()) {
    own_seconds.push_back(arena.seconds_of([&] { scene.nearest_to_spheres(k, own, {.threads = 1}); }));
    batch_seconds.push_back(
        arena.seconds_of([&] { scene.nearest(centers, k, batch, {.ignore = itself, .threads = 1}); }));
    state.SetIterationTime(own_seconds.back());
  }
  std::size_t differing = 0;
  for (std::size_t i = 0; i < own.size(); ++i)
    differing += own[i].sphere != batch[i].sphere || own[i].distance != batch[i].distance;
  if (differing > 0) return wrong(state, std::to_string(differing) + " neighbors differ");
  state.counters["ns"] = 1e9 * median(own_seconds) / static_cast<double>(spheres.size());
  state.counters["x_nearest"] = median_ratio(batch_seconds, own_seconds);
}

bool register_nearest_to_spheres() {
  for (const workload::Kind kind : {workload::Kind::crowd, workload::Kind::uniform})
    for (const std::size_t n : {10'000, 1'000'000})
      for (const std::size_t k : {1, 8}) {
        const std::string name = "nearest_to_spheres/" + std::string(workload::name(kind)) + "/" +
                                 short_number(n) + "/k:" + std::to_string(k);
        benchmark::RegisterBenchmark(
            name.c_str(), [=](benchmark::State& state) { ask_nearest_to_spheres(state, kind, n, k); })
            ->UseManualTime()
            ->Iterations(neighbor_rounds)
            ->Unit(benchmark::kMillisecond);
      }
  return true;
}

[[maybe_unused]] const bool registered = register_nearest_to_spheres();

}  // namespace
}  // namespace sphaera::bench
