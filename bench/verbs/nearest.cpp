/// \file `Scene::nearest` beside nanoflann's k-d tree and Embree's point query: nanoseconds a point on one
/// thread, in turns, and the number of the peers' answers that differ from ours.
///
/// Points come in random order, or sorted along a Morton curve for all engines. Sphaera's time includes
/// its sorting of the points.

#include <bench/suite_size.hpp>
#include <bench/verbs/neighbor_comparison.hpp>
#include <cmath>

namespace sphaera::bench::nearest {
namespace {

/// Number of points whose k nearest spheres differ.
std::size_t differing(std::span<const Neighbor> a, std::span<const Neighbor> b, std::size_t k) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < a.size(); i += k)
    n += !std::ranges::equal(a.subspan(i, k), b.subspan(i, k), {}, &Neighbor::sphere, &Neighbor::sphere);
  return n;
}

/// True if all distances agree to within 1e-9.
bool agree(std::span<const Neighbor> a, std::span<const Neighbor> b) {
  return std::ranges::equal(a, b, [](const Neighbor& x, const Neighbor& y) {
    return x.distance == y.distance || std::abs(x.distance - y.distance) < 1e-9;
  });
}

void ask_nearest(benchmark::State& state, Shape shape, std::size_t n, Order order, std::size_t k) {
  const NeighborScene& scene = neighbor_scene(shape, sized(n));
  const HugeVector<Vec3> points =
      places(shape, scene.spheres.size(), sized(neighbor_queries), order, neighbor_seed);
  HugeVector<Neighbor> ours(points.size() * k), kd_tree(ours.size()), point_query(ours.size());
  Scratch scratch;
  const QueryOptions options{.threads = 1, .scratch = &scratch};
  measure_neighbors(
      state, points.size(), [&] { scene.scene.nearest(points, k, ours, options); },
      [&] { scene.kd_tree->nearest(points, k, kd_tree); },
      [&] { scene.point_query->nearest(points, k, point_query); });
  if (!agree(ours, kd_tree) || !agree(ours, point_query)) return wrong(state, "distances differ");
  state.counters["differing"] =
      static_cast<double>(differing(ours, kd_tree, k) + differing(ours, point_query, k));
}

bool register_nearest() {
  for (const Shape shape : shapes) {
    for (const std::size_t n : {10'000, 1'000'000}) {
      for (const Order order : orders) {
        for (const std::size_t k : {1, 8, 32}) {
          const std::string name = neighbor_name("nearest", shape, n, order, "k:" + std::to_string(k));
          register_rounds(name, neighbor_rounds,
                          [=](benchmark::State& state) { ask_nearest(state, shape, n, order, k); });
        }
      }
    }
  }
  return true;
}

[[maybe_unused]] const bool registered = register_nearest();

}  // namespace
}  // namespace sphaera::bench::nearest
