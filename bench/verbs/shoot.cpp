/// \file Shots per second through a crowd: Sphaera, naive user geometry and, on one thread with up
/// to 1e5 people at rest and without bounces, Bullet Physics, in turns.
///
/// Times are the process's processor time ÷ threads, as the machine is shared. `x_…` is Sphaera's rate ÷ the
/// engine's, a median over the rounds; `differ` counts shots for which naive reports a different sphere.

#include <benchmark/benchmark.h>

#include <bench/measure/crowd_shots.hpp>
#include <bench/measure/median.hpp>
#include <bench/measure/timing.hpp>
#include <bench/peers/bullet_shots.hpp>
#include <bench/peers/naive/naive_shots.hpp>
#include <bench/suite_size.hpp>
#include <functional>
#include <sphaera/sphaera.hpp>
#include <string>
#include <vector>

namespace sphaera::bench::shoot {
namespace {

constexpr std::size_t max_shots = 1'000'000, max_bullet_physics_shots = 4'000;
constexpr int rounds = 7;
/// Largest share of shots that may differ: naive traverses with a ray in float, so it may miss a sphere.
constexpr double max_differing = 1e-3;

struct Case {
  const char* name;
  double radius;  ///< of a bullet, meters
  std::uint32_t bounces;
  bool moving;  ///< people walk
};

constexpr Case cases[] = {
    {"rest", 0, 0, false}, {"moving", 0, 0, true}, {"radius", 0.05, 0, false}, {"ricochets", 0, 3, false}};

/// Answers of an engine: first impacts, or lists of impacts if bullets bounce.
struct Answers {
  explicit Answers(std::size_t shots) : first(shots) {}

  HugeVector<Impact> first;
  ImpactLists lists;

  std::size_t impacts() const {
    if (lists.size() > 0) return lists.items.size();
    return static_cast<std::size_t>(
        std::ranges::count_if(first, [](const Impact& i) { return i.sphere >= 0; }));
  }
};

bool same_spheres(std::span<const Impact> a, std::span<const Impact> b) {
  return std::ranges::equal(a, b, {}, &Impact::sphere, &Impact::sphere);
}

std::size_t differing(const Answers& a, const Answers& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.first.size(); ++i) {
    count +=
        a.lists.size() > 0 ? !same_spheres(a.lists[i], b.lists[i]) : a.first[i].sphere != b.first[i].sphere;
  }
  return count;
}

/// One engine, and its time per shot in each round.
struct EngineTimes {
  std::string name;
  std::size_t shots;
  std::function<void()> shoot;
  std::vector<double> seconds{};
};

void count(benchmark::State& state, const std::vector<EngineTimes>& engines) {
  const EngineTimes& ours = engines.front();
  for (const EngineTimes& engine : engines) {
    state.counters[engine.name + "_ns"] = 1e9 * median(engine.seconds);
    if (&engine != &ours) state.counters["x_" + engine.name] = median_ratio(engine.seconds, ours.seconds);
  }
  state.counters["Mshots/s"] = 1e-6 / median(ours.seconds);
}

void shoot(benchmark::State& state, const Case& c, std::uint64_t people, int threads) {
  people = sized(people);
  const std::size_t shots = sized(max_shots),
                    bullet_physics_shots = std::min(max_bullet_physics_shots, shots);
  const CrowdShots field(people, shots, c.radius, c.moving);
  const Scene scene = Scene::build(field.people, {.velocities = field.velocities, .horizon = field.horizon});
  const NaiveShots naive(field.people, field.velocities, field.horizon, c.radius);
  std::unique_ptr<BulletShots> bullet_physics;
  Answers ours(shots), theirs(shots), bullet_physics_answers(shots);
  const FlightOptions flight{.bounces = c.bounces};
  std::vector<EngineTimes> engines;
  engines.push_back({"sphaera", shots, [&] {
                       if (c.bounces > 0)
                         ours.lists = scene.all_impacts(field.bullets, flight);
                       else
                         scene.first_impact(field.bullets, ours.first);
                     }});
  engines.push_back({"naive", shots, [&] {
                       if (c.bounces > 0)
                         theirs.lists = naive.shoot(field.bullets, c.bounces);
                       else
                         naive.shoot(field.bullets, theirs.first);
                     }});
  if (threads == 1 && people <= 100'000 && !c.moving && c.bounces == 0) {
    bullet_physics = std::make_unique<BulletShots>(field.people);
    engines.push_back({"bullet", bullet_physics_shots, [&] {
                         bullet_physics->shoot(
                             std::span(field.bullets).first(bullet_physics_shots),
                             std::span(bullet_physics_answers.first).first(bullet_physics_shots));
                       }});
  }
  TimedArena arena(threads, Clock::cpu);
  for (EngineTimes& engine : engines)
    arena.seconds_of(engine.shoot);  // warm-up: touches the pages and starts the threads
  while (state.KeepRunning()) {
    for (EngineTimes& engine : engines)
      engine.seconds.push_back(arena.seconds_of(engine.shoot) / static_cast<double>(engine.shots));
    state.SetIterationTime(engines[0].seconds.back() * static_cast<double>(shots));
  }
  count(state, engines);
  state.SetItemsProcessed(static_cast<std::int64_t>(shots) * state.iterations());
  state.counters["impacts"] = static_cast<double>(ours.impacts()) / static_cast<double>(shots);
  if (const std::size_t count = differing(ours, theirs); count > max_differing * static_cast<double>(shots))
    return wrong(state, std::to_string(count) + " shots hit different spheres in naive user geometry");
  state.counters["differ"] = static_cast<double>(differing(ours, theirs));
}

bool register_shots() {
  for (const Case& c : cases) {
    for (const std::uint64_t people : {10'000, 100'000, 1'000'000, 10'000'000}) {
      for (const int threads : {1, 2}) {
        const std::string name = std::string("shoot/") + c.name + "/" +
                                 label({workload::Kind::crowd, people}) +
                                 "/threads:" + std::to_string(threads);
        register_rounds(name, rounds, [=](benchmark::State& state) { shoot(state, c, people, threads); });
      }
    }
  }
  return true;
}

[[maybe_unused]] const bool registered = register_shots();

}  // namespace
}  // namespace sphaera::bench::shoot
