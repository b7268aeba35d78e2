/// \file `Scene::sky` beside the same shares from 1024 sampled directions a point: microseconds a point on
/// one thread, in turns. Points lie on spheres, with the normal there.
///
/// `discs`: from which a share is computed, on average; `sampled`: points with too many; `rays_off`: root
/// mean square of the sampled shares' errors.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bench/measure/median.hpp>
#include <bench/measure/scenes.hpp>
#include <bench/measure/timing.hpp>
#include <bench/suite_size.hpp>
#include <cmath>
#include <sphaera/scene.hpp>
#include <tools/workload/random.hpp>

namespace sphaera::bench::sky {
namespace {

constexpr std::size_t point_count = 400;
constexpr int rounds = 3;

struct Places {
  std::vector<SkyPoint> points;
  std::vector<std::int64_t> ids;  ///< of the spheres on which they lie
};

/// On top of the spheres of a crowd, anywhere on others.
Places places_on(std::span<const Sphere> spheres, bool on_top, std::size_t n) {
  Places places;
  for (std::size_t i = 0; i < n; ++i) {
    workload::Random random(1, workload::Purpose::ray, i);
    const std::size_t id = random.bits() % spheres.size();
    const Vec3 normal = on_top ? Vec3{0, 0, 1} : random.direction();
    places.points.push_back({spheres[id].center + spheres[id].radius * normal, normal});
    places.ids.push_back(static_cast<std::int64_t>(id));
  }
  return places;
}

void ask_sky(benchmark::State& state, workload::Kind kind, std::size_t n, double within) {
  const HugeVector<Sphere> spheres = make_spheres({kind, sized(n)}, 1);
  const Scene scene = Scene::build(spheres);
  const auto [points, ids] = places_on(spheres, kind == workload::Kind::crowd, sized(point_count));
  std::vector<SkyShare> exact(points.size()), sampled(points.size());
  Scratch scratch;
  const QueryOptions options{.ignore = ids, .threads = 1, .scratch = &scratch};
  TimedArena arena(1, Clock::cpu);
  std::vector<double> exact_seconds, sampled_seconds;
  while (state.KeepRunning()) {
    exact_seconds.push_back(arena.seconds_of([&] { scene.sky(points, exact, {.within = within}, options); }));
    sampled_seconds.push_back(arena.seconds_of(
        [&] { scene.sky(points, sampled, {.within = within, .most_discs = 0, .rays = 1024}, options); }));
    state.SetIterationTime(exact_seconds.back());
  }
  const auto count = static_cast<double>(points.size());
  double discs = 0, given_up = 0, squares = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    discs += exact[i].discs, given_up += exact[i].rays > 0;
    squares += (exact[i].open - sampled[i].open) * (exact[i].open - sampled[i].open);
  }
  state.counters["us"] = 1e6 * median(exact_seconds) / count;
  state.counters["us_rays"] = 1e6 * median(sampled_seconds) / count;
  state.counters["discs"] = discs / count;
  state.counters["sampled"] = given_up;
  state.counters["rays_off"] = std::sqrt(squares / count);
}

bool register_sky() {
  const auto add = [](workload::Kind kind, std::size_t n, double within) {
    register_rounds("sky/" + std::string(workload::name(kind)) + "/" + short_number(n) +
                        (within < infinity ? "/within:10" : "/all"),
                    rounds, [=](benchmark::State& state) { ask_sky(state, kind, n, within); });
  };
  for (const std::size_t n : {10'000, 1'000'000}) {
    add(workload::Kind::crowd, n, 10), add(workload::Kind::crowd, n, infinity);
    add(workload::Kind::belt, n, infinity);
  }
  return true;
}

[[maybe_unused]] const bool registered = register_sky();

}  // namespace
}  // namespace sphaera::bench::sky
