/// \file A living scene: a crowd walks, and in every frame some people jump to other places, or leave and
/// come back elsewhere. Times of its frames, and of rays through it at the end compared with a new
/// scene.

#include <bench/verbs/living.hpp>

namespace sphaera::bench::living {
namespace {

constexpr int frames = 600;

/// Measures how much the machine itself disturbs a frame: in each frame a thread reads the clock for 2 ms.
/// If other threads take its processor in these 2 ms, any code would lose that time.
void measure_lost_time(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
  constexpr double busy = 2e-3, gap = 50e-6;  // reading the clock takes less than `gap`; more is lost time
  std::vector<double> lost;
  for (auto _ : state) {
    each_frame(static_cast<int>(sized(frames)), true, [&](int) {
      const auto start = Clock::now();
      double taken = 0;
      for (auto last = start; seconds(last - start) - taken < busy;) {
        const auto now = Clock::now();
        if (const double passed = seconds(now - last); passed > gap) taken += passed;
        last = now;
      }
      lost.push_back(taken);
    });
  }
  state.counters["lost_p99_ms"] = 1e3 * quantile(lost, 0.99);
  state.counters["lost_max_ms"] = 1e3 * quantile(lost, 1);
  state.counters["frames_over_1ms"] =
      static_cast<double>(std::ranges::count_if(lost, [](double s) { return s > 1e-3; }));
}

/// Measures how evenly the machine does equal work in memory: in each frame one thread copies as many spheres
/// as the crowd has, five times there and back, which takes about as long as an update.
void copy_spheres(benchmark::State& state) {
  TimedArena arena(1, Clock::wall);
  const People people(sized(100'000));
  HugeVector<Sphere> there(people.start().begin(), people.start().end()), back(there.size());
  std::vector<double> seconds;
  for (auto _ : state) {
    each_frame(static_cast<int>(sized(frames)), true, [&](int) {
      seconds.push_back(arena.seconds_of([&] {
        for (int i = 0; i < 5; ++i) {
          std::ranges::copy(there, back.begin());
          std::ranges::copy(back, there.begin());
          benchmark::DoNotOptimize(there.data());
          benchmark::ClobberMemory();
        }
      }));
    });
  }
  count_frames(state, seconds);
}

/// In every frame `jumps` people jump, and `replaced` ones are erased and inserted elsewhere.
void live(benchmark::State& state, std::uint64_t n, int jumps, int replaced, UpdateOptions::Rebuild rebuild) {
  n = sized(n);
  TimedArena arena(2, Clock::wall);
  std::vector<double> seconds;
  std::size_t rebuilds = 0;
  double slower = 0;
  for (auto _ : state) {
    People people(n);
    Scene scene = Scene::build(people.start());
    std::vector<std::int64_t> ids, back(static_cast<std::size_t>(replaced));
    std::vector<Sphere> strangers;
    each_frame(frames, n > tiny, [&](int) {
      people.walk();
      for (int i = 0; i < jumps; ++i) people.put(people.anyone(), people.elsewhere());
      ids.clear(), strangers.clear();
      for (int i = 0; i < replaced; ++i) ids.push_back(static_cast<std::int64_t>(people.anyone()));
      std::ranges::sort(ids);
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
      for (const std::int64_t id : ids) {
        const auto i = static_cast<std::size_t>(id);
        people.put(i, people.elsewhere());
        strangers.push_back({people.centers()[i], people.start()[i].radius});  // insert reuses ids ascending
      }
      seconds.push_back(arena.seconds_of([&] {
        if (!ids.empty()) {
          scene.erase(ids, {.rebuild = rebuild});
          scene.insert(strangers, std::span(back).first(ids.size()), {.update = {.rebuild = rebuild}});
        }
        rebuilds += scene.update(people.centers(), {}, {.rebuild = rebuild}).rebuilt;
      }));
    });
    slower = slowdown(scene, n, state);
  }
  count_frames(state, seconds);
  state.counters["rebuilds"] = static_cast<double>(rebuilds);
  state.counters["x_first_hit"] = slower;
}

/// One person of many is erased and inserted elsewhere.
void replace_one(benchmark::State& state, std::uint64_t n) {
  n = sized(n);
  People people(n);
  Scene scene = Scene::build(people.start());
  TimedArena arena(1, Clock::cpu);
  std::vector<double> erased, inserted;
  const UpdateOptions options{.rebuild = UpdateOptions::Rebuild::when_degraded};
  for (auto _ : state) {
    std::int64_t id = static_cast<std::int64_t>(people.anyone());
    const Sphere stranger{people.elsewhere(), people.start()[static_cast<std::size_t>(id)].radius};
    erased.push_back(arena.seconds_of([&] { scene.erase({&id, 1}, options); }));
    inserted.push_back(
        arena.seconds_of([&] { scene.insert({&stranger, 1}, {&id, 1}, {.update = options}); }));
    state.SetIterationTime(erased.back() + inserted.back());
  }
  const auto mean = [](const std::vector<double>& seconds) {
    double sum = 0;
    for (const double s : seconds) sum += s;
    return sum / static_cast<double>(seconds.size());
  };
  state.counters["erase_us"] = 1e6 * mean(erased);
  state.counters["insert_us"] = 1e6 * mean(inserted);
}

bool register_lives() {
  using Rebuild = UpdateOptions::Rebuild;
  register_once("living/machine", measure_lost_time);
  register_once("living/machine/memory", copy_spheres);
  for (const std::uint64_t n : {10'000, 100'000}) {
    const std::string scene = "living/" + label({workload::Kind::crowd, n});
    for (const auto& [name, rebuild] : {std::pair("", Rebuild::when_degraded),
                                        {"/background", Rebuild::in_background},
                                        {"/never", Rebuild::never}}) {
      register_once(scene + "/jumps:50" + name,
                    [n, when = rebuild](benchmark::State& state) { live(state, n, 50, 0, when); });
      register_once(scene + "/replaced:500" + name,
                    [n, when = rebuild](benchmark::State& state) { live(state, n, 0, 500, when); });
    }
  }
  for (const std::uint64_t n : {10'000, 100'000, 1'000'000}) {
    const std::string name = "living/" + label({workload::Kind::crowd, n}) + "/one";
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { replace_one(state, n); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
  return true;
}

[[maybe_unused]] const bool registered = register_lives();

}  // namespace
}  // namespace sphaera::bench::living
