/// \file `Scene::visibility` beside a batch of `Scene::blocked` of the same segments, which a caller would
/// write down: nanoseconds a pair on one thread, in turns. The benchmark fails if the answers differ.

#include <benchmark/benchmark.h>

#include <bench/measure/median.hpp>
#include <bench/measure/scenes.hpp>
#include <bench/measure/timing.hpp>
#include <bench/suite_size.hpp>
#include <sphaera/scene.hpp>
#include <string>
#include <utility>

namespace sphaera::bench::visibility {
namespace {

constexpr int rounds = 3;
constexpr std::uint64_t scene_seed = 1, from_seed = 2, to_seed = 3;

/// Points of a scene of the same kind, in random order.
std::vector<Vec3> points_of(workload::Kind kind, std::size_t n, std::uint64_t seed) {
  std::vector<Vec3> points;
  for (const Sphere& sphere : make_spheres({kind, n}, seed)) points.push_back(sphere.center);
  return points;
}

void ask_visibility(benchmark::State& state, workload::Kind kind, std::size_t n, std::size_t from_count,
                    std::size_t to_count) {
  const HugeVector<Sphere> spheres = make_spheres({kind, sized(n)}, scene_seed);
  const Scene scene = Scene::build(spheres);
  const std::vector<Vec3> from = points_of(kind, sized(from_count), from_seed),
                          to = points_of(kind, sized(to_count), to_seed);
  std::vector<Segment> segments;
  for (const Vec3& a : from)
    for (const Vec3& b : to) segments.push_back({a, b});
  std::vector<std::uint8_t> blocked(segments.size());
  SightTable table;
  TimedArena arena(1, Clock::cpu);
  std::vector<double> own_seconds, blocked_seconds;
  const QueryOptions serial{.threads = 1};
  while (state.KeepRunning()) {
    own_seconds.push_back(arena.seconds_of([&] { table = scene.visibility(from, {to}, serial); }));
    blocked_seconds.push_back(arena.seconds_of([&] { scene.blocked(segments, blocked, serial); }));
    state.SetIterationTime(own_seconds.back());
  }
  std::size_t seen = 0;
  for (std::size_t line = 0; line < segments.size(); ++line) {
    const bool sees = table.sees(line / to.size(), line % to.size());
    if (sees == (blocked[line] != 0)) return wrong(state, "the answers differ");
    seen += sees;
  }
  state.counters["ns"] = 1e9 * median(own_seconds) / static_cast<double>(segments.size());
  state.counters["seen"] = static_cast<double>(seen) / static_cast<double>(segments.size());
  state.counters["x_blocked"] = median_ratio(blocked_seconds, own_seconds);
}

bool register_visibility() {
  for (const workload::Kind kind : {workload::Kind::crowd, workload::Kind::uniform})
    for (const std::size_t n : {100'000, 1'000'000})
      for (const auto& [from, to] : {std::pair<std::size_t, std::size_t>{1000, 1000}, {10, 100'000}})
        register_rounds("visibility/" + std::string(workload::name(kind)) + "/" + short_number(n) + "/" +
                            short_number(from) + "x" + short_number(to),
                        rounds, [=](benchmark::State& state) { ask_visibility(state, kind, n, from, to); });
  return true;
}

[[maybe_unused]] const bool registered = register_visibility();

}  // namespace
}  // namespace sphaera::bench::visibility
