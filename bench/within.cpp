/// \file `Scene::within` beside nanoflann's radius search and Embree's point query: nanoseconds a ball on one
/// thread, in turns, and the number of balls whose answers differ.
///
/// Balls hold 1, 10 or 100 spheres on average. Ours are listed with ascending ids, those of the peers in no
/// order.

#include <algorithm>
#include <bench/effort.hpp>
#include <bench/neighbor_contest.hpp>

namespace sphaera::bench {
namespace {

HugeVector<Ball> balls_about(std::span<const Vec3> centers, double radius) {
  HugeVector<Ball> balls(centers.size());
  for (std::size_t i = 0; i < balls.size(); ++i) balls[i] = {centers[i], radius};
  return balls;
}

/// Balls whose spheres differ.
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

bool register_within() {
  for (const Shape shape : shapes) {
    for (const std::size_t n : {10'000, 1'000'000}) {
      for (const Order order : orders) {
        for (const int spheres : {1, 10, 100}) {
          const std::string name =
              neighbor_name("within", shape, n, order, "spheres:" + std::to_string(spheres));
          benchmark::RegisterBenchmark(
              name.c_str(), [=](benchmark::State& state) { ask_within(state, shape, n, order, spheres); })
              ->UseManualTime()
              ->Iterations(neighbor_rounds)
              ->Unit(benchmark::kMillisecond);
        }
      }
    }
  }
  return true;
}

[[maybe_unused]] const bool registered = register_within();

}  // namespace
}  // namespace sphaera::bench
