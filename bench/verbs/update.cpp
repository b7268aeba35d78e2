/// \file Time to update the index when every sphere of a walking crowd moves. Compares refits (with and
/// without velocities) and rebuilds with those of Embree's sphere points, in turns. Also the cost of
/// queries on a refitted index.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <base/arena.hpp>
#include <bench/measure/median.hpp>
#include <bench/measure/scenes.hpp>
#include <bench/measure/timing.hpp>
#include <bench/peers/embree_moving_points.hpp>
#include <bench/suite_size.hpp>
#include <cmath>
#include <functional>
#include <sphaera/sphaera.hpp>
#include <string>
#include <tools/workload/random.hpp>
#include <vector>

namespace sphaera::bench::update {
namespace {

constexpr std::uint64_t seed = 1;
constexpr int rounds = 51;
constexpr double step = 1.3 / 60;  // meters that people walk in a frame

/// Time in which bullets may hit people that walk: two frames.
constexpr Horizon horizon{0, 2.0 / 60};

/// Walking people, each on a straight line in a random direction.
class Walkers {
 public:
  explicit Walkers(std::uint64_t people) : spheres_(make_spheres({workload::Kind::crowd, people}, seed)) {
    for (auto* const all : {&centers_, &velocities_, &steps_}) all->resize(people);
    for (std::size_t i = 0; i < people; ++i)
      steps_[i] = step * workload::Random(seed, workload::Purpose::group, ~i).heading();
    at(0);
  }

  std::span<const Sphere> spheres() const { return spheres_; }
  /// Positions after n frames. Writes them and the velocities again, so that an update finds both in the
  /// cache, as after a game's own step.
  std::span<const Vec3> at(int frame) {
    base::parallel_pieces(centers_.size(), base::cheap_items_per_piece,
                          [&](std::size_t begin, std::size_t end) {
                            for (std::size_t i = begin; i < end; ++i) {
                              centers_[i] = spheres_[i].center + static_cast<double>(frame) * steps_[i];
                              velocities_[i] = 60.0 * steps_[i];
                            }
                          });
    return centers_;
  }
  std::span<const Vec3> velocities() const { return velocities_; }
  /// Positions shuffled among all people.
  std::span<const Vec3> shuffled() {
    at(0);
    for (std::size_t i = centers_.size(); i-- > 1;)
      std::swap(centers_[i], centers_[workload::Random(seed, workload::Purpose::block, i).bits() % (i + 1)]);
    return centers_;
  }

 private:
  HugeVector<Sphere> spheres_;
  HugeVector<Vec3> centers_, velocities_, steps_;
};

using Rebuild = UpdateOptions::Rebuild;

/// One method to update an index, and its times.
struct Method {
  const char* name;
  std::function<void(std::span<const Vec3>)> update;
  std::vector<double> seconds{};
};

void move(benchmark::State& state, std::uint64_t people, int threads, Clock clock) {
  people = sized(people);
  TimedArena arena(threads, clock);
  Walkers walkers(people);
  Scene scene = Scene::build(walkers.spheres()), rebuilt = Scene::build(walkers.spheres()),
        moving = Scene::build(walkers.spheres(), {.velocities = walkers.velocities(), .horizon = horizon});
  MovingPoints rebuilt_points(walkers.spheres(), PeerUpdate::rebuild),
      refitted_points(walkers.spheres(), PeerUpdate::refit);
  const auto updating = [](Scene& s, Rebuild rebuild) {
    return [&s, rebuild](std::span<const Vec3> centers) { s.update(centers, {}, {.rebuild = rebuild}); };
  };
  Method methods[] = {
      {"refit", updating(scene, Rebuild::never)},
      {"rebuild", updating(rebuilt, Rebuild::always)},
      {"moving",
       [&](std::span<const Vec3> centers) {
         moving.update(centers, walkers.velocities(), {.rebuild = Rebuild::never});
       }},
      {"embree_refit", [&](std::span<const Vec3> centers) { refitted_points.update(centers); }},
      {"embree_rebuild", [&](std::span<const Vec3> centers) { rebuilt_points.update(centers); }}};
  int frame = 0;
  while (state.KeepRunning()) {
    ++frame;
    for (Method& method : methods) {
      const std::span<const Vec3> centers = walkers.at(frame);
      method.seconds.push_back(arena.seconds_of([&] { method.update(centers); }));
    }
    state.SetIterationTime(methods[0].seconds.back());
  }
  const double our_refit = median(methods[0].seconds), our_rebuild = median(methods[1].seconds);
  for (const Method& method : methods)
    state.counters[std::string(method.name) + "_ms"] = 1e3 * median(method.seconds);
  state.counters["x_moving"] = median(methods[2].seconds) / our_refit;
  state.counters["x_refit"] = median(methods[3].seconds) / our_refit;
  state.counters["x_rebuild"] = median(methods[4].seconds) / our_rebuild;
  state.SetItemsProcessed(static_cast<std::int64_t>(people) * state.iterations());
}

/// Cost of queries on an index that is refitted once, to the positions after `frames` frames. It is compared
/// with an index built on these positions. frames < 0: the positions are shuffled instead.
void query_after_refits(benchmark::State& state, std::uint64_t people, int frames) {
  const std::size_t rays_count = sized(200'000);
  people = sized(people);
  TimedArena arena(1, Clock::cpu);
  Walkers walkers(people);
  Scene fitted = Scene::build(walkers.spheres()), fresh = Scene::build(walkers.spheres());
  const std::span<const Vec3> centers = frames < 0 ? walkers.shuffled() : walkers.at(frames);
  const UpdateResult result = fitted.update(centers, {}, {.rebuild = Rebuild::never});
  fresh.update(centers, {}, {.rebuild = Rebuild::always});
  const HugeVector<Ray> rays = make_rays({workload::Kind::crowd, people}, rays_count, Order::random, seed);
  std::vector<std::uint8_t> blocked(rays.size()), blocked_fresh(rays.size());
  std::vector<Hit> first(rays.size()), first_fresh(rays.size());
  std::vector<double> seconds[4];
  while (state.KeepRunning()) {
    seconds[0].push_back(arena.seconds_of([&] { fitted.blocked(rays, blocked); }));
    seconds[1].push_back(arena.seconds_of([&] { fresh.blocked(rays, blocked_fresh); }));
    seconds[2].push_back(arena.seconds_of([&] { fitted.first_hit(rays, first); }));
    seconds[3].push_back(arena.seconds_of([&] { fresh.first_hit(rays, first_fresh); }));
    state.SetIterationTime(seconds[0].back());
  }
  if (blocked != blocked_fresh || !std::ranges::equal(first, first_fresh, {}, &Hit::sphere, &Hit::sphere))
    return wrong(state, "a refitted and a fresh index disagree");
  state.counters["degradation"] = result.degradation;
  state.counters["x_blocked"] = median(seconds[0]) / median(seconds[1]);
  state.counters["x_first_hit"] = median(seconds[2]) / median(seconds[3]);
  state.counters["ns/blocked"] = 1e9 * median(seconds[1]) / static_cast<double>(rays_count);
}

bool register_walks() {
  for (const std::uint64_t people : {10'000, 100'000, 1'000'000}) {
    for (const int frames : {0, 30, 100, 300, 1000, -1}) {
      if (frames < 0 && people > 100'000) continue;  // takes minutes: 400 times as long as on a fresh index
      const std::string name = "update_queries/" + label({workload::Kind::crowd, people}) +
                               (frames < 0 ? "/shuffled" : "/frames:" + std::to_string(frames));
      benchmark::RegisterBenchmark(
          name.c_str(), [=](benchmark::State& state) { query_after_refits(state, people, frames); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}

bool register_moves() {
  for (const std::uint64_t people : {10'000, 100'000, 1'000'000}) {
    for (const int threads : {1, 2}) {
      const std::string name =
          "update/" + label({workload::Kind::crowd, people}) + "/threads:" + std::to_string(threads);
      register_rounds(name, rounds,
                      [=](benchmark::State& state) { move(state, people, threads, Clock::wall); });
    }
  }
  return true;
}

[[maybe_unused]] const bool registered = register_moves() && register_walks();

}  // namespace
}  // namespace sphaera::bench::update
