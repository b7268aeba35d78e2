#pragma once
/// \file Sphaera and the peers of neighbors in turns, on one thread, in processor time.

#include <benchmark/benchmark.h>

#include <array>
#include <bench/measure/median.hpp>
#include <bench/measure/timing.hpp>
#include <bench/peers/neighbor_peer.hpp>
#include <sphaera/scene.hpp>
#include <string>
#include <vector>

namespace sphaera::bench {

inline constexpr std::uint64_t neighbor_seed = 1;
inline constexpr std::size_t neighbor_queries = 200'000;  ///< in a batch
inline constexpr int neighbor_rounds = 3;

/// A scene of equal spheres with the peers built on it.
struct NeighborScene {
  Shape shape;
  HugeVector<Sphere> spheres;
  Scene scene;
  std::unique_ptr<NeighborPeer> kd_tree, point_query;

  NeighborScene(Shape s, std::size_t n)
      : shape(s),
        spheres(equal_spheres(s, n, neighbor_seed)),
        scene(Scene::build(spheres)),
        kd_tree(make_kd_tree(spheres)),
        point_query(make_point_query(spheres)) {}
};

/// The scene, kept until another one is asked for.
inline const NeighborScene& neighbor_scene(Shape shape, std::size_t n) {
  static std::unique_ptr<NeighborScene> kept;
  if (!kept || kept->shape != shape || kept->spheres.size() != n) {
    kept.reset();
    kept = std::make_unique<NeighborScene>(shape, n);
  }
  return *kept;
}

/// The name of a benchmark: "nearest/cube/1e6/random/k:8".
inline std::string neighbor_name(const char* question, Shape shape, std::uint64_t n, Order order,
                                 const std::string& detail) {
  return std::string(question) + "/" + std::string(name(shape)) + "/" + short_number(n) + "/" +
         std::string(name(order)) + "/" + detail;
}

/// Measures the three engines in turns: nanoseconds a query, and times of the peers ÷ ours.
template <class Ours, class KdTree, class PointQuery>
void measure_neighbors(benchmark::State& state, std::size_t query_count, const Ours& ours,
                       const KdTree& kd_tree, const PointQuery& point_query) {
  TimedArena arena(1, Clock::cpu);
  std::array<std::vector<double>, 3> ns;
  ours();  // allocates
  const double to_ns = 1e9 / static_cast<double>(query_count);
  while (state.KeepRunning()) {
    ns[0].push_back(to_ns * arena.seconds_of(ours));
    ns[1].push_back(to_ns * arena.seconds_of(kd_tree));
    ns[2].push_back(to_ns * arena.seconds_of(point_query));
    state.SetIterationTime(ns[0].back() / to_ns);
  }
  state.counters["ns"] = median(ns[0]);
  state.counters["nanoflann_ns"] = median(ns[1]);
  state.counters["embree_ns"] = median(ns[2]);
  state.counters["x_nanoflann"] = median_ratio(ns[1], ns[0]);
  state.counters["x_embree"] = median_ratio(ns[2], ns[0]);
}

}  // namespace sphaera::bench
