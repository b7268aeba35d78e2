/// \file `Scene::nearest_to_spheres` beside a batch of `Scene::nearest` that ignores each sphere itself:
/// nanoseconds a sphere on one thread, in turns. The benchmark fails if neighbors differ. `x_5_ranges` and
/// `x_50_ranges`: the time of 5 or 50 calls, each for a range of ids, ÷ the time of one call for all.

#include <algorithm>
#include <bench/measure/scenes.hpp>
#include <bench/suite_size.hpp>
#include <bench/verbs/neighbor_comparison.hpp>
#include <numeric>

namespace sphaera::bench::nearest_to_spheres {
namespace {

void ask_in_ranges(const Scene& scene, std::size_t k, std::span<Neighbor> rows, std::int64_t ranges) {
  const std::int64_t ids = std::ssize(scene.spheres());
  for (std::int64_t i = 0; i < ranges; ++i) {
    const std::int64_t first = ids * i / ranges, count = ids * (i + 1) / ranges - first;
    const auto rows_of = [&](std::int64_t n) { return static_cast<std::size_t>(n) * k; };
    scene.nearest_to_spheres(IdRange{first, count}, k, rows.subspan(rows_of(first), rows_of(count)),
                             {.threads = 1});
  }
}

void ask_nearest_to_spheres(benchmark::State& state, workload::Kind kind, std::size_t n, std::size_t k) {
  const HugeVector<Sphere> spheres = make_spheres({kind, sized(n)}, neighbor_seed);
  const Scene scene = Scene::build(spheres);
  HugeVector<Vec3> centers(spheres.size());
  std::ranges::transform(spheres, centers.begin(), &Sphere::center);
  std::vector<std::int64_t> itself(spheres.size());
  std::iota(itself.begin(), itself.end(), 0);
  std::vector<Neighbor> own(spheres.size() * k), batch(own.size()), ranges(own.size());
  TimedArena arena(1, Clock::cpu);
  std::vector<double> own_seconds, batch_seconds, few_ranges_seconds, many_ranges_seconds;
  while (state.KeepRunning()) {
    own_seconds.push_back(arena.seconds_of([&] { scene.nearest_to_spheres(k, own, {.threads = 1}); }));
    batch_seconds.push_back(
        arena.seconds_of([&] { scene.nearest(centers, k, batch, {.ignore = itself, .threads = 1}); }));
    few_ranges_seconds.push_back(arena.seconds_of([&] { ask_in_ranges(scene, k, ranges, 5); }));
    many_ranges_seconds.push_back(arena.seconds_of([&] { ask_in_ranges(scene, k, ranges, 50); }));
    state.SetIterationTime(own_seconds.back());
  }
  std::size_t differing = 0;
  for (const auto& others : {std::span(batch), std::span(ranges)})
    for (std::size_t i = 0; i < own.size(); ++i)
      differing += own[i].sphere != others[i].sphere || own[i].distance != others[i].distance;
  if (differing > 0) return wrong(state, std::to_string(differing) + " neighbors differ");
  state.counters["ns"] = 1e9 * median(own_seconds) / static_cast<double>(spheres.size());
  state.counters["x_nearest"] = median_ratio(batch_seconds, own_seconds);
  state.counters["x_5_ranges"] = median_ratio(few_ranges_seconds, own_seconds);
  state.counters["x_50_ranges"] = median_ratio(many_ranges_seconds, own_seconds);
}

bool register_nearest_to_spheres() {
  for (const workload::Kind kind : {workload::Kind::crowd, workload::Kind::uniform})
    for (const std::size_t n : {10'000, 1'000'000})
      for (const std::size_t k : {1, 8}) {
        const std::string name = "nearest_to_spheres/" + std::string(workload::name(kind)) + "/" +
                                 short_number(n) + "/k:" + std::to_string(k);
        register_rounds(name, neighbor_rounds,
                        [=](benchmark::State& state) { ask_nearest_to_spheres(state, kind, n, k); });
      }
  return true;
}

[[maybe_unused]] const bool registered = register_nearest_to_spheres();

}  // namespace
}  // namespace sphaera::bench::nearest_to_spheres
