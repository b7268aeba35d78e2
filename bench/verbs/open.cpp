/// \file `Scene::open` beside `Scene::build`: seconds until a scene is open, until its file is checked, until
/// the first 1e5 rays have answers, all together `first` (`cold`: the system has dropped the file's pages),
/// and the rate of first hits in it divided by that in the built scene, in turns.

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bench/measure/median.hpp>
#include <bench/measure/scenes.hpp>
#include <bench/measure/timing.hpp>
#include <bench/suite_size.hpp>
#include <filesystem>
#include <optional>
#include <sphaera/scene.hpp>
#include <string>
#include <vector>

namespace sphaera::bench::open {
namespace {

void drop_pages(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY);
  ::fsync(file);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
}

struct Times {
  std::vector<double> open, check, first;

  /// Opens the file, lets it be checked, and asks the first batch.
  Scene scene_of(const std::string& path, std::span<const Ray> batch, TimedArena& arena) {
    std::optional<Scene> scene;
    std::vector<Hit> hits(batch.size());
    open.push_back(arena.seconds_of([&] { scene = Scene::open(path); }));
    check.push_back(arena.seconds_of([&] { benchmark::DoNotOptimize(scene->size()); }));
    const double asked = arena.seconds_of([&] { scene->first_hit(batch, hits); });
    first.push_back(open.back() + check.back() + asked);
    return *std::move(scene);
  }
};

void measure(benchmark::State& state, std::size_t n) {
  constexpr int threads = 2;
  const SceneSpec spec{workload::Kind::crowd, sized(n)};
  HugeVector<Sphere> spheres = make_spheres(spec, 1);
  const HugeVector<Ray> rays = make_rays(spec, sized(300'000), Order::random, 1);
  TimedArena arena(threads);
  std::optional<Scene> built;
  const double build = arena.seconds_of([&] { built = Scene::build(std::span<const Sphere>(spheres)); });
  spheres = {};
  const std::string path =
      (std::filesystem::temp_directory_path() / ("sphaera-bench-" + std::to_string(::getpid()) + ".sphi"))
          .string();
  built->save(path);
  const std::span<const Ray> batch = std::span(rays).first(sized(100'000));
  Times warm, cold;
  drop_pages(path);
  (void)cold.scene_of(path, batch, arena);
  std::vector<Hit> expected(rays.size()), hits(rays.size());
  std::vector<double> ratios;
  while (state.KeepRunning()) {
    const Scene opened = warm.scene_of(path, batch, arena);
    state.SetIterationTime(warm.open.back() + warm.check.back());
    const double by_built = arena.seconds_of([&] { built->first_hit(rays, expected); }),
                 by_opened = arena.seconds_of([&] { opened.first_hit(rays, hits); });
    ratios.push_back(by_built / by_opened);
  }
  const SceneInfo info = built->info();
  state.counters["build_s"] = build;
  state.counters["open_ms"] = 1e3 * median(warm.open), state.counters["check_ms"] = 1e3 * median(warm.check);
  state.counters["first_ms"] = 1e3 * median(warm.first), state.counters["cold_ms"] = 1e3 * cold.first.front();
  state.counters["x_rate"] = median(ratios);
  state.counters["x_bytes"] = static_cast<double>(std::filesystem::file_size(path)) /
                              static_cast<double>(info.sphere_bytes + info.index_bytes);
  std::filesystem::remove(path);
  const auto same = [](const Hit& a, const Hit& b) { return a.sphere == b.sphere && a.contact == b.contact; };
  if (!std::ranges::equal(hits, expected, same)) wrong(state, "the opened scene has other answers");
}

bool register_all() {
  for (const std::size_t n : {std::size_t{1'000'000}, std::size_t{10'000'000}, std::size_t{100'000'000}})
    register_rounds("open/crowd/" + short_number(n), 5, [=](benchmark::State& state) { measure(state, n); });
  return true;
}

[[maybe_unused]] const bool registered = register_all();

}  // namespace
}  // namespace sphaera::bench::open
