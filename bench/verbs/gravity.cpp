/// \file Flights under gravity beside straight flights: nanoseconds a bullet, one thread, in turns.
///
/// `x_straight` is the time of the flights under gravity ÷ the time of the same bullets without gravity.
/// `x_chord` is the time of the flights under gravity ÷ the time of bullets that fly straight to the end
/// points of those flights (of unlimited flights: through their points after one second). Both are medians
/// over the rounds. Lobbed balls rise above the crowd; without gravity they leave it.
///
/// Times are the process's processor time, as the machine is shared.

#include <benchmark/benchmark.h>

#include <bench/measure/median.hpp>
#include <bench/measure/scenes.hpp>
#include <bench/measure/timing.hpp>
#include <bench/suite_size.hpp>
#include <sphaera/sphaera.hpp>
#include <string>
#include <tools/workload/random.hpp>
#include <vector>

namespace sphaera::bench::gravity {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::size_t shots = 50'000;
constexpr int rounds = 7;
constexpr double earth_gravity = 9.81;  // meters per second squared

struct Case {
  const char* name;
  workload::Kind kind;
  bool walking;
  double radius, slowest, fastest;   ///< of a bullet: meters, meters per second
  double shortest = 0, longest = 0;  ///< flight time in seconds; 0: until the end of the generated ray
  double lob = 0;  ///< upward speed ÷ upward speed of a flight that ends at its starting height;
                   ///< each bullet gets a random 50–100 % of it
  double gravity = earth_gravity;
  std::uint32_t bounces = 0, pierces = 0;
};

using workload::Kind;
constexpr Case cases[] = {
    {"rays", Kind::crowd, false, 0, 300, 900},
    {"bullets", Kind::crowd, false, 0.004, 300, 900},
    {"bullets_walkers", Kind::crowd, true, 0.004, 300, 900},
    {"arrows", Kind::crowd, false, 0.004, 50, 100, 1, 3},
    {"arrows_walkers", Kind::crowd, true, 0.004, 50, 100, 1, 3},
    {"arrows_unlimited", Kind::crowd, false, 0.004, 50, 100, infinity, infinity},
    {"lobbed_arrows", Kind::crowd, false, 0.004, 50, 100, 1, 3, 1},
    {"balls", Kind::crowd, false, 0.05, 10, 30, 1, 3},
    {"balls_walkers", Kind::crowd, true, 0.05, 10, 30, 1, 3},
    {"lobbed_points", Kind::crowd, false, 0, 10, 30, 1, 3, 1},
    {"lobbed_balls", Kind::crowd, false, 0.05, 10, 30, 1, 3, 1},
    {"lobbed_balls_walkers", Kind::crowd, true, 0.05, 10, 30, 1, 3, 1},
    {"belt", Kind::belt, false, 0, 1, 1, 0, 0, 0, 60},
    {"ricochets", Kind::crowd, false, 0.004, 300, 900, 0, 0, 0, earth_gravity, 3},
    {"ricochets_balls", Kind::crowd, false, 0.05, 10, 30, 1, 3, 1, earth_gravity, 3},
    {"piercing", Kind::crowd, false, 0.004, 300, 900, 0, 0, 0, earth_gravity, 0, 3},
    {"piercing_walkers", Kind::crowd, true, 0.004, 300, 900, 0, 0, 0, earth_gravity, 0, 3},
    {"uniform", Kind::uniform, false, 0, 10, 30, 1, 3, 0, 10},
};

/// A scene, its bullets, and bullets along the chords of their flights.
struct Field {
  Field(const Case& c, std::uint64_t n, std::size_t count)
      : spheres(make_spheres({c.kind, n}, seed)), gravity{0, 0, -c.gravity} {
    const workload::Generator generator(c.kind, n, seed);
    if (c.walking) {
      velocities.resize(n);
      for (std::uint64_t i = 0; i < n; ++i) velocities[i] = generator.velocity(i);
    }
    for (const Ray& ray : make_rays({c.kind, n}, count, Order::random, seed)) {
      workload::Random random(seed, workload::Purpose::bullet, flights.size());
      const double speed = random.between(c.slowest, c.fastest),
                   time = c.longest > 0 ? random.between(c.shortest, c.longest) : ray.t_max / speed,
                   rise = c.lob * 0.5 * time * c.gravity * random.between(0.5, 1);
      const Vec3 velocity = c.lob > 0 ? speed * Vec3{ray.direction.x, ray.direction.y, 0} + Vec3{0, 0, rise}
                                      : speed * ray.direction;
      flights.push_back({ray.origin, velocity, c.radius, 0, c.longest == infinity ? infinity : time});
      const double flown = c.longest == infinity ? 1 : time;
      chords.push_back(
          {ray.origin, velocity + (0.5 * flown) * gravity, c.radius, 0, flights.back().duration});
    }
  }

  HugeVector<Sphere> spheres;
  HugeVector<Vec3> velocities;
  Vec3 gravity;
  HugeVector<Bullet> flights, chords;
};

/// First impacts, or lists of impacts if bullets fly on after them.
struct Answers {
  HugeVector<Impact> first;
  ImpactLists lists;

  explicit Answers(std::size_t count) : first(count) {}
  void shoot(const Scene& scene, std::span<const Bullet> bullets, const FlightOptions& flight) {
    if (flight.bounces + flight.pierces > 0) {
      lists = scene.all_impacts(bullets, flight);
    } else {
      scene.first_impact(bullets, first, flight);
    }
  }
  /// Impacts per bullet.
  double hits() const {
    const auto n = lists.size() > 0
                       ? static_cast<std::ptrdiff_t>(lists.items.size())
                       : std::ranges::count_if(first, [](const Impact& i) { return i.sphere >= 0; });
    return static_cast<double>(n) / static_cast<double>(first.size());
  }
};

void fly(benchmark::State& state, const Case& c, std::uint64_t spheres) {
  const std::size_t count = sized(shots);
  const Field field(c, sized(spheres), count);
  const Scene scene =
      Scene::build(field.spheres, {.velocities = field.velocities, .horizon = Horizon{0, 10}});
  Answers curved(count), straight(count), along_chords(count);
  const FlightOptions flying{.bounces = c.bounces, .pierces = c.pierces};
  FlightOptions falling = flying;
  falling.gravity = field.gravity;
  std::vector<double> gravity_seconds, straight_seconds, chord_seconds;
  TimedArena arena(1, Clock::cpu);
  const auto fall = [&] { curved.shoot(scene, field.flights, falling); };
  const auto go = [&] { straight.shoot(scene, field.flights, flying); };
  const auto go_along_chords = [&] { along_chords.shoot(scene, field.chords, flying); };
  fall(), go(), go_along_chords();
  const auto per_shot = [&](const auto& work) { return arena.seconds_of(work) / static_cast<double>(count); };
  while (state.KeepRunning()) {
    gravity_seconds.push_back(per_shot(fall)), straight_seconds.push_back(per_shot(go)),
        chord_seconds.push_back(per_shot(go_along_chords));
    state.SetIterationTime(gravity_seconds.back() * static_cast<double>(count));
  }
  state.counters["gravity_ns"] = 1e9 * median(gravity_seconds);
  state.counters["straight_ns"] = 1e9 * median(straight_seconds);
  state.counters["chord_ns"] = 1e9 * median(chord_seconds);
  state.counters["x_straight"] = median_ratio(gravity_seconds, straight_seconds);
  state.counters["x_chord"] = median_ratio(gravity_seconds, chord_seconds);
  state.counters["hits"] = curved.hits(), state.counters["hits_straight"] = straight.hits(),
  state.counters["hits_chord"] = along_chords.hits();
}

bool register_flights() {
  for (const Case& c : cases) {
    for (const std::uint64_t spheres : {10'000, 100'000}) {
      const std::string name = std::string("gravity/") + c.name + "/" + label({c.kind, spheres});
      register_rounds(name, rounds, [=](benchmark::State& state) { fly(state, c, spheres); });
    }
  }
  return true;
}

[[maybe_unused]] const bool registered = register_flights();

}  // namespace
}  // namespace sphaera::bench::gravity
