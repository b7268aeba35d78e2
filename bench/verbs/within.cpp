/// \file `Scene::within` beside nanoflann's radius search and Embree's point query: nanoseconds a ball on one
/// thread, in turns, and the number of the peers' answers that differ from ours.
///
/// Balls meet 1, 10 or 100 spheres on average. Our lists have ascending ids, those of the peers no order.
/// `within_forms` measures ids, numbers alone (`count_within`) and distances (`neighbors_within`).

#include <algorithm>
#include <bench/suite_size.hpp>
#include <bench/verbs/neighbor_comparison.hpp>
#include <functional>

namespace sphaera::bench::within {
namespace {

HugeVector<Ball> balls_about(std::span<const Vec3> centers, double radius) {
  HugeVector<Ball> balls(centers.size());
  for (std::size_t i = 0; i < balls.size(); ++i) balls[i] = {centers[i], radius};
  return balls;
}

/// Number of balls whose spheres differ.
std::size_t differing(const IdLists& ours, const IdLists& theirs) {
  std::size_t n = 0;
  std::vector<std::int64_t> sorted;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    sorted.assign(theirs[i].begin(), theirs[i].end());
    std::ranges::sort(sorted);
    n += !std::ranges::equal(ours[i], sorted);
  }
  return n;
}

void ask_within(benchmark::State& state, Shape shape, std::size_t n, Order order, double spheres) {
  const NeighborScene& scene = neighbor_scene(shape, sized(n));
  const HugeVector<Ball> balls =
      balls_about(places(shape, scene.spheres.size(), sized(neighbor_queries), order, neighbor_seed),
                  radius_for(shape, spheres));
  IdLists ours, kd_tree, point_query;
  Scratch scratch;
  const QueryOptions options{.threads = 1, .scratch = &scratch};
  measure_neighbors(
      state, balls.size(), [&] { scene.scene.within(balls, ours, options); },
      [&] { scene.kd_tree->within(balls, kd_tree); }, [&] { scene.point_query->within(balls, point_query); });
  state.counters["spheres"] = static_cast<double>(ours.items.size()) / static_cast<double>(balls.size());
  state.counters["differing"] = static_cast<double>(differing(ours, kd_tree) + differing(ours, point_query));
}

/// Measures ids, numbers alone, and distances, for the same balls.
void ask_forms(benchmark::State& state, Shape shape, std::size_t n, double spheres) {
  const NeighborScene& scene = neighbor_scene(shape, sized(n));
  const HugeVector<Ball> balls =
      balls_about(places(shape, scene.spheres.size(), sized(neighbor_queries), Order::random, neighbor_seed),
                  radius_for(shape, spheres));
  IdLists ids;
  NeighborLists neighbors;
  std::vector<std::uint64_t> counts(balls.size());
  Scratch scratch;
  const QueryOptions options{.threads = 1, .scratch = &scratch};
  const std::array<std::function<void()>, 3> forms{
      [&] { scene.scene.within(balls, ids, options); },
      [&] { scene.scene.count_within(balls, counts, options); },
      [&] { scene.scene.neighbors_within(balls, neighbors, options); }};
  TimedArena arena(1, Clock::cpu);
  std::array<std::vector<double>, 3> seconds;
  while (state.KeepRunning()) {
    for (std::size_t i = 0; i < forms.size(); ++i) seconds[i].push_back(arena.seconds_of(forms[i]));
    state.SetIterationTime(seconds[0].back());
  }
  for (std::size_t i = 0; i < balls.size(); ++i)
    if (counts[i] != ids[i].size() || counts[i] != neighbors[i].size())
      return wrong(state, "ball " + std::to_string(i) + " has different numbers of spheres");
  const double to_ns = 1e9 / static_cast<double>(balls.size());
  state.counters["ns"] = to_ns * median(seconds[0]);
  state.counters["count_ns"] = to_ns * median(seconds[1]);
  state.counters["distances_ns"] = to_ns * median(seconds[2]);
}

bool register_forms() {
  for (const Shape shape : shapes)
    for (const int spheres : {1, 10, 100, 1000}) {
      const std::string name = neighbor_name("within_forms", shape, 1'000'000, Order::random,
                                             "spheres:" + std::to_string(spheres));
      register_rounds(name, neighbor_rounds,
                      [=](benchmark::State& state) { ask_forms(state, shape, 1'000'000, spheres); });
    }
  return true;
}

bool register_within() {
  for (const Shape shape : shapes) {
    for (const std::size_t n : {10'000, 1'000'000}) {
      for (const Order order : orders) {
        for (const int spheres : {1, 10, 100}) {
          const std::string name =
              neighbor_name("within", shape, n, order, "spheres:" + std::to_string(spheres));
          register_rounds(name, neighbor_rounds,
                          [=](benchmark::State& state) { ask_within(state, shape, n, order, spheres); });
        }
      }
    }
  }
  return true;
}

[[maybe_unused]] const bool registered = register_within() && register_forms();

}  // namespace
}  // namespace sphaera::bench::within
