/// \file `Scene::contacts` beside a batch of `Scene::within` whose balls are the spheres: nanoseconds a
/// sphere on one thread, in turns; `x_counts`: beside `count_contacts`. The benchmark fails if the pairs
/// differ.

#include <algorithm>
#include <bench/measure/scenes.hpp>
#include <bench/suite_size.hpp>
#include <bench/verbs/neighbor_comparison.hpp>
#include <numeric>

namespace sphaera::bench::contacts {
namespace {

/// Spheres grown by the distance, a dyadic number: the sums are rounded for few.
std::vector<Ball> balls_of(const HugeVector<Sphere>& spheres, double distance) {
  std::vector<Ball> balls;
  balls.reserve(spheres.size());
  for (const Sphere& sphere : spheres) balls.push_back({sphere.center, sphere.radius + distance});
  return balls;
}

std::size_t pairs_in(const IdLists& lists) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < lists.size(); ++i)
    pairs += static_cast<std::size_t>(
        std::ranges::count_if(lists[i], [i](std::int64_t id) { return id > static_cast<std::int64_t>(i); }));
  return pairs;
}

void ask_contacts(benchmark::State& state, workload::Kind kind, std::size_t n, double distance) {
  const HugeVector<Sphere> spheres = make_spheres({kind, sized(n)}, neighbor_seed);
  const Scene scene = Scene::build(spheres);
  const std::vector<Ball> balls = balls_of(spheres, distance);
  NeighborLists contacts, neighbors;
  IdLists within;
  TimedArena arena(1, Clock::cpu);
  std::vector<double> own_seconds, counts_seconds, within_seconds, neighbors_seconds;
  std::vector<std::uint64_t> counts(spheres.size());
  while (state.KeepRunning()) {
    own_seconds.push_back(arena.seconds_of([&] { scene.contacts(distance, contacts, {.threads = 1}); }));
    counts_seconds.push_back(
        arena.seconds_of([&] { scene.count_contacts(distance, counts, {.threads = 1}); }));
    within_seconds.push_back(arena.seconds_of([&] { scene.within(balls, within, {.threads = 1}); }));
    neighbors_seconds.push_back(
        arena.seconds_of([&] { scene.neighbors_within(balls, neighbors, {.threads = 1}); }));
    state.SetIterationTime(own_seconds.back());
  }
  const auto pairs = static_cast<double>(contacts.items.size()),
             expected = static_cast<double>(pairs_in(within));
  if (std::abs(pairs - expected) > 1e-6 * expected) return wrong(state, "the numbers of pairs differ");
  if (std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) != 2 * contacts.items.size())
    return wrong(state, "the counts are not those of the pairs");
  state.counters["ns"] = 1e9 * median(own_seconds) / static_cast<double>(spheres.size());
  state.counters["pairs"] = pairs / static_cast<double>(spheres.size());
  state.counters["x_counts"] = median_ratio(counts_seconds, own_seconds);
  state.counters["x_within"] = median_ratio(within_seconds, own_seconds);
  state.counters["x_neighbors"] = median_ratio(neighbors_seconds, own_seconds);
}

bool register_contacts() {
  for (const workload::Kind kind : {workload::Kind::crowd, workload::Kind::uniform})
    for (const std::size_t n : {10'000, 1'000'000})
      for (const double distance : {0.0, 0.5})
        register_rounds("contacts/" + std::string(workload::name(kind)) + "/" + short_number(n) +
                            (distance > 0 ? "/near" : "/touching"),
                        neighbor_rounds,
                        [=](benchmark::State& state) { ask_contacts(state, kind, n, distance); });
  return true;
}

[[maybe_unused]] const bool registered = register_contacts();

}  // namespace
}  // namespace sphaera::bench::contacts
