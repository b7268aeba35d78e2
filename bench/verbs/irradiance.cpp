/// \file Irradiance: microseconds per receiver in the light of one star or of three, among the bodies of a
/// belt. `x_starlight` is the time ÷ that of `Scene::starlight` for the same receivers and stars.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bench/measure/median.hpp>
#include <bench/measure/timing.hpp>
#include <bench/suite_size.hpp>
#include <sphaera/sphaera.hpp>
#include <string>
#include <tools/workload/random.hpp>
#include <tools/workload/workload.hpp>
#include <vector>

namespace sphaera::bench::irradiance {
namespace {

constexpr std::uint64_t seed = 1;
constexpr int rounds = 5;
constexpr LimbDarkening law = LimbDarkening::quadratic(0.4, 0.26);

/// A belt of bodies about one star or three, and receivers in it. Normals point to all sides: half of the
/// receivers face away from a star.
struct LitBelt {
  LitBelt(std::uint64_t n, std::size_t stars, std::size_t receiver_count)
      : bodies(workload::spheres(workload::Kind::belt, n, seed)) {
    constexpr Vec3 places[] = {{0, 0, 0}, {3, 0, 1}, {0, -3, 2}};
    for (std::size_t i = 0; i < stars; ++i) sources.push_back({Star::at(places[i], 0.05, law), 1e3});
    const std::vector<Ray> rays = workload::rays(workload::Kind::belt, receiver_count, n, seed);
    for (std::size_t i = 0; i < rays.size(); ++i)
      receivers.push_back(
          {{rays[i].origin}, workload::Random(seed, workload::Purpose::group, i).direction()});
  }

  std::vector<Sphere> bodies;
  std::vector<Source> sources;
  std::vector<Receiver> receivers;
};

/// True if the answers of the first receivers equal those of brute force.
bool is_right(const Scene& scene, const LitBelt& belt, std::span<const double> found) {
  const std::size_t checked = std::min<std::size_t>(belt.receivers.size(), 16);
  const std::vector<double> truth = scene.irradiance(belt.sources, std::span(belt.receivers).first(checked),
                                                     {.search = Search::brute_force});
  return std::ranges::equal(truth, found.first(checked));
}

void irradiance(benchmark::State& state, std::uint64_t bodies, std::size_t stars, int threads) {
  const LitBelt belt(sized(bodies), stars, sized(200'000));
  const Scene scene = Scene::build(belt.bodies);
  std::vector<Star> lights;
  for (const Source& source : belt.sources) lights.push_back(source.star);
  std::vector<Observer> observers;
  for (const Receiver& receiver : belt.receivers) observers.push_back(receiver.observer);
  std::vector<double> found(belt.receivers.size());
  std::vector<Visibility> seen(stars * observers.size());
  TimedArena arena(threads, Clock::cpu);
  const auto ask = [&] { scene.irradiance(belt.sources, belt.receivers, found); };
  const auto ask_starlight = [&] { scene.starlight(lights, observers, seen); };
  arena.seconds_of(ask), arena.seconds_of(ask_starlight);  // warm-up; makes the indexes of the stars
  std::vector<double> seconds, starlight_seconds;
  while (state.KeepRunning()) {
    seconds.push_back(arena.seconds_of(ask));
    starlight_seconds.push_back(arena.seconds_of(ask_starlight));
    state.SetIterationTime(seconds.back());
  }
  if (!is_right(scene, belt, found)) return wrong(state, "irradiance differs from brute force");
  const auto n = static_cast<double>(found.size());
  state.counters["us"] = 1e6 * median(seconds) / n;
  state.counters["x_starlight"] = median_ratio(seconds, starlight_seconds);
  state.counters["dark"] = static_cast<double>(std::ranges::count(found, 0.)) / n;
}

bool register_irradiance() {
  for (const std::uint64_t bodies : {10'000, 1'000'000}) {
    for (const std::size_t stars : {1, 3}) {
      for (const int threads : {1, 2}) {
        const std::string name = "irradiance/belt/" + std::string(bodies == 10'000 ? "1e4" : "1e6") +
                                 "/stars:" + std::to_string(stars) + "/threads:" + std::to_string(threads);
        register_rounds(name, rounds,
                        [=](benchmark::State& state) { irradiance(state, bodies, stars, threads); });
      }
    }
  }
  return true;
}

[[maybe_unused]] const bool registered = register_irradiance();

}  // namespace
}  // namespace sphaera::bench::irradiance
