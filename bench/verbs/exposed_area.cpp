/// \file `Scene::exposed_area` beside points on each sphere, 100 and 1,000: nanoseconds a sphere on one
/// thread, in turns, and how far the sampled sum is off. Globules of atoms as proteins have them, probe 1.4.

#include <algorithm>
#include <bench/measure/scenes.hpp>
#include <bench/peers/sampled_surface.hpp>
#include <bench/suite_size.hpp>
#include <bench/verbs/neighbor_comparison.hpp>
#include <numeric>
#include <random>

namespace sphaera::bench::exposed_area {
namespace {

constexpr double probe = 1.4;

/// About n atoms of van der Waals radii, 20 of them in 1,000 cubic ångström, in balls of 2,000 that stand on
/// a lattice.
std::vector<Sphere> globules(std::size_t n) {
  constexpr double spacing = 2.7, globule = 21, apart = 44;
  constexpr double radii[] = {1.7, 1.7, 1.7, 1.55, 1.52, 1.8};
  const int side = std::max(1, static_cast<int>(std::cbrt(static_cast<double>(n) / 2000)));
  std::mt19937_64 engine(neighbor_seed);
  const auto jitter = [&] { return 1.2 * (std::ldexp(static_cast<double>(engine() >> 11), -53) - 0.5); };
  std::vector<Sphere> atoms;
  const int steps = static_cast<int>(apart * side / spacing);
  const auto from_middle = [&](double x) { return x - apart * (std::floor(x / apart) + 0.5); };
  for (int i = 0; i < steps; ++i)
    for (int j = 0; j < steps; ++j)
      for (int k = 0; k < steps; ++k) {
        const Vec3 c{i * spacing + jitter(), j * spacing + jitter(), k * spacing + jitter()};
        const Vec3 v{from_middle(c.x), from_middle(c.y), from_middle(c.z)};
        if (dot(v, v) < globule * globule) atoms.push_back({c, radii[engine() % std::size(radii)]});
      }
  return atoms;
}

void ask(benchmark::State& state, std::size_t n) {
  const std::vector<Sphere> spheres = globules(sized(n));
  const Scene scene = Scene::build(spheres);
  std::vector<ExposedArea> areas(spheres.size());
  std::vector<double> some, many;
  TimedArena arena(1, Clock::cpu);
  std::vector<double> own_seconds, some_seconds, many_seconds;
  while (state.KeepRunning()) {
    own_seconds.push_back(arena.seconds_of([&] { scene.exposed_area(probe, areas, {.threads = 1}); }));
    some_seconds.push_back(arena.seconds_of([&] { some = sampled_areas(spheres, probe, 100); }));
    many_seconds.push_back(arena.seconds_of([&] { many = sampled_areas(spheres, probe, 1000); }));
    state.SetIterationTime(own_seconds.back());
  }
  double total = 0, some_off = 0, many_off = 0;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    total += areas[i].area;
    some_off += std::fabs(some[i] - areas[i].area), many_off += std::fabs(many[i] - areas[i].area);
  }
  if (many_off > 0.03 * total) return wrong(state, "the areas differ");
  state.counters["ns"] = 1e9 * median(own_seconds) / static_cast<double>(spheres.size());
  state.counters["x_100"] = median_ratio(some_seconds, own_seconds);
  state.counters["x_1000"] = median_ratio(many_seconds, own_seconds);
  state.counters["off_100"] = some_off / total;
  state.counters["off_1000"] = many_off / total;
}

bool register_exposed_area() {
  for (const std::size_t n : {10'000, 1'000'000})
    register_rounds("exposed_area/globules/" + short_number(n), neighbor_rounds,
                    [=](benchmark::State& state) { ask(state, n); });
  return true;
}

[[maybe_unused]] const bool registered = register_exposed_area();

}  // namespace
}  // namespace sphaera::bench::exposed_area
