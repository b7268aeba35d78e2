#include <benchmark/benchmark.h>

#include <bench/suite.hpp>
#include <bench/suite_size.hpp>
#include <map>

namespace sphaera::bench {
namespace {

constexpr std::array<std::uint64_t, 4> sizes{10'000, 100'000, 1'000'000, 10'000'000};
constexpr std::array thread_counts{1, 2};

/// The current scene with the engines built on it so far. The benchmarks of one query run scene by scene, so
/// only one scene is kept.
struct Stage {
  std::string scene;
  HugeVector<Sphere> spheres;
  HugeVector<Ray> rays;
  std::map<std::string_view, std::unique_ptr<Engine>> built;
};

Stage& stage_for(const SceneSpec& spec) {
  static Stage stage;
  if (stage.scene != label(spec)) {
    stage = {};
    const SceneSpec made{spec.kind, sized(spec.spheres), spec.place};
    stage = {label(spec),
             make_spheres(made, default_seed),
             make_rays(made, sized(default_rays), Order::random, default_seed),
             {}};
  }
  return stage;
}

const Engine& engine_on(Stage& stage, const EngineEntry& entry) {
  auto& engine = stage.built[entry.name];
  if (!engine) {
    engine = entry.make();
    engine->build(stage.spheres);
  }
  return *engine;
}

void measure_query(benchmark::State& state, Query query, const SceneSpec& spec, const EngineEntry& entry,
                   int threads) {
  Stage& stage = stage_for(spec);
  const Engine& engine = engine_on(stage, entry);
  TimedArena arena(threads);
  const std::size_t n = affordable_rays(engine, query, stage.rays, default_seconds, arena);
  const HugeVector<Ray> rays = RaySample(stage.rays.size(), n).of(stage.rays);
  Answers answers;
  while (state.KeepRunning()) state.SetIterationTime(ask(engine, query, rays, arena, answers));
  state.SetItemsProcessed(static_cast<std::int64_t>(rays.size()) * state.iterations());
  state.counters["rays"] = static_cast<double>(rays.size());
  state.counters["B/sphere"] = engine.bytes() / static_cast<double>(stage.spheres.size());
}

void measure_build(benchmark::State& state, const SceneSpec& spec, const EngineEntry& entry, int threads) {
  Stage& stage = stage_for(spec);
  TimedArena arena(threads);
  double bytes = 0;
  while (state.KeepRunning()) {
    const auto engine = entry.make();
    state.SetIterationTime(build(*engine, stage.spheres, arena));
    bytes = engine->bytes();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(stage.spheres.size()) * state.iterations());
  state.counters["B/sphere"] = bytes / static_cast<double>(stage.spheres.size());
}

template <class Measure>
bool register_all(std::string_view question, const Measure& measure) {
  for (const std::uint64_t spheres : sizes)
    for (const workload::Kind kind : workload::kinds)
      for (const int threads : thread_counts)
        for (const EngineEntry& entry : engines()) {
          if (entry.role == Role::at_its_best || spheres > entry.max_spheres || threads > entry.max_threads)
            continue;
          const SceneSpec spec{kind, spheres};
          const std::string name = std::string(question) + "/" + label(spec) + "/" + std::string(entry.name) +
                                   "/threads:" + std::to_string(threads);
          benchmark::RegisterBenchmark(
              name.c_str(), [=, &entry](benchmark::State& state) { measure(state, spec, entry, threads); })
              ->UseManualTime()
              ->Unit(benchmark::kMillisecond);
        }
  return true;
}

}  // namespace

bool register_query(Query query) {
  return register_all(name(query),
                      [query](benchmark::State& state, const SceneSpec& spec, const EngineEntry& entry,
                              int threads) { measure_query(state, query, spec, entry, threads); });
}

bool register_build() { return register_all("build", measure_build); }

}  // namespace sphaera::bench
