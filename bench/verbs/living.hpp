#pragma once
/// \file What the benchmarks of living scenes share: the rate of frames, and what is reported of them.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bench/measure/median.hpp>
#include <bench/measure/scenes.hpp>
#include <bench/measure/timing.hpp>
#include <bench/measure/walking_crowd.hpp>
#include <bench/suite_size.hpp>
#include <chrono>
#include <sphaera/sphaera.hpp>
#include <string>
#include <thread>
#include <vector>

namespace sphaera::bench::living {

/// A frame begins every 1/60 s, as in a game; builds in the background run during the pauses, too.
inline constexpr std::chrono::microseconds frame_time{16'667};
inline constexpr std::uint64_t tiny = 1'000;  // up to this size (smoke tests) frames follow without a pause

/// Calls run(frame) for each frame, at its time.
template <class Run>
void each_frame(int frames, bool pause, const Run& run) {
  auto next = std::chrono::steady_clock::now();
  for (int frame = 0; frame < frames; ++frame) {
    if (pause) std::this_thread::sleep_until(next += frame_time);
    run(frame);
  }
}

inline void count_frames(benchmark::State& state, const std::vector<double>& seconds) {
  const double p50 = quantile(seconds, 0.5);
  state.counters["p50_ms"] = 1e3 * p50;
  state.counters["x_p99"] = quantile(seconds, 0.99) / p50;
  state.counters["x_max"] = quantile(seconds, 1) / p50;
}

/// Time of first hits, of rays among `people` people, ÷ their time in a new scene. The benchmark fails if a
/// hit differs.
inline double slowdown(const Scene& scene, std::uint64_t people, benchmark::State& state) {
  const HugeVector<Ray> rays =
      make_rays({workload::Kind::crowd, people}, sized(200'000), Order::random, people_seed);
  const Scene fresh = Scene::build(scene.spheres());
  std::vector<Hit> first(rays.size()), first_fresh(rays.size());
  std::vector<double> seconds[2];
  TimedArena arena(1, Clock::cpu);
  for (int i = 0; i < 7; ++i) {
    seconds[0].push_back(arena.seconds_of([&] { scene.first_hit(rays, first); }));
    seconds[1].push_back(arena.seconds_of([&] { fresh.first_hit(rays, first_fresh); }));
  }
  if (!std::ranges::equal(first, first_fresh, {}, &Hit::sphere, &Hit::sphere))
    wrong(state, "an edited index answers otherwise than a fresh one");
  return median(seconds[0]) / median(seconds[1]);
}

inline void register_once(const std::string& name, const auto& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)->Iterations(1)->Unit(benchmark::kMillisecond);
}

}  // namespace sphaera::bench::living
