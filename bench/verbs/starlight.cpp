/// \file Star visibility: observers per second, compared with the any-hit query on the same lines of sight
/// and with an estimate by 1,024 samples of the disc through the same index. It also measures the time per
/// observer without the index, for known bodies.

#include <benchmark/benchmark.h>

#include <bench/measure/timing.hpp>
#include <bench/suite_size.hpp>
#include <cmath>
#include <ctime>
#include <functional>
#include <memory>
#include <numbers>
#include <sphaera/sphaera.hpp>
#include <star_light/star_view.hpp>
#include <string>
#include <tools/workload/random.hpp>
#include <tools/workload/workload.hpp>

namespace sphaera::bench::starlight {
namespace {

constexpr std::uint64_t seed = 1;
std::size_t observer_count() { return sized(200'000); }
constexpr LimbDarkening law = LimbDarkening::quadratic(0.4, 0.26),
                        power_law = LimbDarkening::power2(0.5, 0.73);

/// Spheres, a star and its observers.
struct StarScene {
  std::vector<Sphere> spheres;
  Star star;
  std::vector<Observer> observers;
  bool own_index = false;  ///< answers come through the star's own index, which is built before
};

workload::Random random_of(std::uint64_t i) { return {seed, workload::Purpose::ray, i}; }

/// Sun, Earth and Moon at an eclipse of the Sun; observers spread around the shadows of Earth and Moon.
StarScene eclipse() {
  const double au = 1.496e11, moon = 3.8e8;
  StarScene star_scene{
      {{{0, 0, 0}, 6.371e6}, {{moon, 0, 0}, 1.7374e6}}, Star::at({au, 0, 0}, 6.957e8, law), {}};
  for (std::uint64_t i = 0; i < observer_count(); ++i) {
    workload::Random random = random_of(i);
    const double behind = random.between(-4e8, 3e8), away = random.between(0, 2e7),
                 turn = random.between(0, 6.28);
    star_scene.observers.push_back({{behind, away * std::cos(turn), away * std::sin(turn)}});
  }
  return star_scene;
}

/// A star of angular radius 0.1 behind a ring of bodies, each of which overlaps the star and the bodies
/// beside it.
StarScene overlapping(std::uint64_t bodies, const LimbDarkening& limb) {
  StarScene star_scene{{}, Star::at({100, 0, 0}, 10, limb), {}};
  for (std::uint64_t k = 0; k < bodies; ++k) {
    const double turn = 6.28 * static_cast<double>(k) / std::max(4.0, static_cast<double>(bodies));
    star_scene.spheres.push_back({{10, 0.7 * std::cos(turn), 0.7 * std::sin(turn)}, 0.6});
  }
  for (std::uint64_t i = 0; i < observer_count(); ++i) {
    workload::Random random = random_of(i);
    star_scene.observers.push_back({{0, random.between(-0.2, 0.2), random.between(-0.2, 0.2)}});
  }
  return star_scene;
}

/// About a star of radius 10, 600 spheres of radius 0.2 … 2 (log-uniform) at distances of 20 … 90;
/// observers at distance 100, where the star has an angular radius of 0.1. Only observers with one to four
/// discs that overlap the star are kept.
StarScene mixed() {
  constexpr std::uint64_t bodies = 600;
  StarScene star_scene{{}, Star::at({}, 10, law), {}};
  for (std::uint64_t k = 0; k < bodies; ++k) {
    workload::Random random{seed, workload::Purpose::sphere, k};
    const Vec3 place = random.between(20, 90) * random.direction();
    star_scene.spheres.push_back({place, 0.2 * std::pow(10, random.unit())});
  }
  const Scene scene = Scene::build(star_scene.spheres);
  for (std::uint64_t i = 0; star_scene.observers.size() < observer_count(); ++i) {
    const Observer observer{100 * random_of(i).direction()};
    const std::int32_t discs = scene.starlight(star_scene.star, observer).occluders;
    if (discs >= 1 && discs <= 4) star_scene.observers.push_back(observer);
  }
  return star_scene;
}

/// A generated scene. `belt`: its star has the radius `star_radius`. Other kinds: a star at infinity of the
/// angular radius `star_radius`.
StarScene generated(workload::Kind kind, std::uint64_t n, double star_radius) {
  const bool belt = kind == workload::Kind::belt;
  StarScene star_scene{
      workload::spheres(kind, sized(n), seed),
      belt ? Star::at({}, star_radius, law) : Star::at_infinity({0.3, 0.5, 0.8}, star_radius, law),
      {}};
  for (const Ray& ray : workload::rays(kind, observer_count(), sized(n), seed))
    star_scene.observers.push_back({ray.origin});
  return star_scene;
}

/// A belt about its star, seen from above or below, in directions 20 to 90 degrees off its plane: mostly
/// without a body in front of the star.
StarScene belt_from_above(std::uint64_t n, double star_radius) {
  StarScene star_scene{
      workload::spheres(workload::Kind::belt, sized(n), seed), Star::at({}, star_radius, law), {}};
  for (std::uint64_t i = 0; i < observer_count(); ++i) {
    workload::Random random = random_of(i);
    const double distance = random.between(200, 1000), turn = random.between(0, 2 * std::numbers::pi),
                 height = std::sin(random.between(20, 90) * std::numbers::pi / 180),
                 away = std::sqrt(1 - height * height);
    const double side = random.unit() < 0.5 ? -1 : 1;
    star_scene.observers.push_back(
        {distance * Vec3{away * std::cos(turn), away * std::sin(turn), side * height}});
  }
  return star_scene;
}

/// The same spheres and observers in the light of a sun at infinity.
StarScene under_sun(StarScene star_scene) {
  star_scene.star = Star::at_infinity({0.3, 0.5, 0.8}, 0.00465, law);
  return star_scene;
}

StarScene by_own_index(StarScene star_scene) {
  star_scene.own_index = true;
  return star_scene;
}

std::vector<ViewpointIndex> own_indexes(const Scene& scene, const StarScene& star_scene) {
  if (!star_scene.own_index) return {};
  return {scene.viewpoint_index(star_scene.star)};
}

/// Lines of sight from one observer to 1,024 points on the disc of a star at a finite distance.
std::vector<Segment> samples(const Star& star, const Observer& observer) {
  constexpr std::uint64_t count = 1024;
  const Vec3 to = star.center - observer.position;
  const Vec3 side = std::fabs(to.x) > std::fabs(to.y) ? Vec3{0, 1, 0} : Vec3{1, 0, 0};
  Vec3 a = cross(to, side);
  a = (1 / std::sqrt(dot(a, a))) * a;
  Vec3 b = cross(to, a);
  b = (1 / std::sqrt(dot(b, b))) * b;
  std::vector<Segment> lines;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double r = star.radius * std::sqrt((static_cast<double>(i) + 0.5) / count),
                 turn = 2 * std::numbers::pi * std::numbers::phi * static_cast<double>(i);
    lines.push_back({observer.position, star.center + r * std::cos(turn) * a + r * std::sin(turn) * b});
  }
  return lines;
}

/// True if the sphere may hide a part of the star: its distance from the line to the star's center is at most
/// its radius plus the star's (for a star at infinity: the radius of the cone at that distance). A cheap
/// approximation of `overlaps`.
bool is_near(const StarScene& star_scene, const Observer& observer, const Sphere& sphere) {
  const bool endless = star_scene.star.distance == Star::Distance::infinite;
  const Vec3 way = endless ? star_scene.star.direction : star_scene.star.center - observer.position;
  const Vec3 to = sphere.center - observer.position;
  const double t = std::max(dot(to, way) / dot(way, way), 0.0);
  const Vec3 aside = to - (endless ? t : std::min(t, 1.0)) * way;
  const double width = endless ? t * std::sqrt(dot(way, way)) * std::tan(star_scene.star.angular_radius)
                               : star_scene.star.radius;
  const double reach = width + sphere.radius;
  return dot(aside, aside) <= reach * reach;
}

bool overlaps(const StarScene& star_scene, const Observer& observer, const Sphere& sphere,
              star_light::StarViewScratch& scratch) {
  exact::Counts counts;
  star_light::StarView view(star_scene.star, observer.position, scratch, counts);
  view.add(sphere, 0);
  return view.phase_of_one() != EclipsePhase::lit;
}

/// Processor time per observer, averaged over some observers, to compute the visibility from the spheres that
/// overlap the star, without the time to find these spheres.
double seconds_of_bodies(const StarScene& star_scene) {
  constexpr std::size_t observers = 200, repeats = 50;
  const auto scratch = std::make_unique<star_light::StarViewScratch>();
  std::vector<std::vector<std::int64_t>> near(observers);
  for (std::size_t i = 0; i < observers; ++i) {
    for (std::size_t id = 0; id < star_scene.spheres.size(); ++id) {
      const Observer& observer = star_scene.observers[i * (observer_count() / observers)];
      if (is_near(star_scene, observer, star_scene.spheres[id]) &&
          overlaps(star_scene, observer, star_scene.spheres[id], *scratch))
        near[i].push_back(static_cast<std::int64_t>(id));
    }
  }
  exact::Counts counts;
  const std::clock_t start = std::clock();
  for (std::size_t i = 0; i < observers * repeats; ++i) {
    const std::size_t observer = i % observers;
    star_light::StarView view(star_scene.star,
                              star_scene.observers[observer * (observer_count() / observers)].position,
                              *scratch, counts);
    for (const std::int64_t id : near[observer])
      view.add(star_scene.spheres[static_cast<std::size_t>(id)], id);
    benchmark::DoNotOptimize(view.result());
  }
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / (observers * repeats);
}

/// True if about eight of the answers equal those of brute force.
bool is_right(const Scene& scene, const StarScene& star_scene, std::span<const Visibility> seen) {
  for (std::size_t i = 0; i < seen.size(); i += seen.size() / 8) {
    const Visibility again =
        scene.starlight(star_scene.star, star_scene.observers[i], {.search = Search::brute_force});
    if (again.fraction != seen[i].fraction || again.flux != seen[i].flux || again.phase != seen[i].phase ||
        again.occluders != seen[i].occluders || again.dominant != seen[i].dominant)
      return false;
  }
  return true;
}

/// Wall time and processor time, summed over runs.
struct Spent {
  double seconds = 0;
  std::clock_t busy = 0;

  /// Returns the seconds of this run.
  template <class Work>
  double on(TimedArena& arena, const Work& work) {
    const std::clock_t start = std::clock();
    const double s = arena.seconds_of(work);
    busy += std::clock() - start;
    seconds += s;
    return s;
  }
  double processor() const { return static_cast<double>(busy) / CLOCKS_PER_SEC; }
};

void measure_visibility(benchmark::State& state, const std::function<StarScene()>& make, int threads) {
  const StarScene star_scene = make();
  const Scene scene = Scene::build(star_scene.spheres);
  const auto n = static_cast<double>(observer_count());
  std::vector<Visibility> seen(observer_count());
  std::vector<std::uint8_t> blocked(observer_count());
  std::vector<Ray> rays;
  std::vector<Segment> lines;
  for (const Observer& o : star_scene.observers) {
    if (star_scene.star.distance == Star::Distance::infinite)
      rays.push_back({o.position, star_scene.star.direction});
    else
      lines.push_back({o.position, star_scene.star.center});
  }
  TimedArena arena(threads);
  const std::vector<ViewpointIndex> own = own_indexes(scene, star_scene);
  QueryStats stats;
  const QueryOptions for_blocked{.viewpoint_indexes = own, .automatic_viewpoint_indexes = false};
  QueryOptions options = for_blocked;
  options.stats = &stats;
  Spent spent, spent_on_blocked;
  while (state.KeepRunning()) {
    stats = {};
    state.SetIterationTime(spent.on(
        arena, [&] { scene.starlight({&star_scene.star, 1}, star_scene.observers, seen, options); }));
    spent_on_blocked.on(arena, [&] {
      rays.empty() ? scene.blocked(lines, blocked, for_blocked) : scene.blocked(rays, blocked, for_blocked);
    });
  }
  double occluders = 0, lit = 0, umbra = 0;
  for (const Visibility& v : seen)
    occluders += v.occluders, lit += v.phase == EclipsePhase::lit, umbra += v.phase == EclipsePhase::umbra;
  if (!is_right(scene, star_scene, seen))
    return wrong(state, "starlight by the index is not that by brute force");
  const auto runs = static_cast<double>(state.iterations());
  state.SetItemsProcessed(static_cast<std::int64_t>(observer_count()) * state.iterations());
  state.counters["us/observer"] = spent.seconds / runs / n * 1e6;
  state.counters["us/blocked"] = spent_on_blocked.seconds / runs / n * 1e6;
  if (threads == 1) {
    const double bodies = seconds_of_bodies(star_scene), all = spent.processor() / runs / n;
    state.counters["us/observer cpu"] = all * 1e6;
    state.counters["us/blocked cpu"] = spent_on_blocked.processor() / runs / n * 1e6;
    state.counters["us/bodies"] = bodies * 1e6;
    state.counters["index%"] = 100 * (1 - bodies / all);
  }
  state.counters["tested"] = static_cast<double>(stats.candidates) / n;
  state.counters["overlap"] = occluders / n;
  state.counters["lit"] = lit / n;
  state.counters["umbra"] = umbra / n;
}

void sample(benchmark::State& state, const std::function<StarScene()>& make, int threads) {
  const StarScene star_scene = make();
  const Scene scene = Scene::build(star_scene.spheres);
  TimedArena arena(threads);
  std::vector<std::uint8_t> blocked(1024);
  std::size_t i = 0;
  while (state.KeepRunning()) {
    const std::vector<Segment> lines = samples(star_scene.star, star_scene.observers[i++ % observer_count()]);
    state.SetIterationTime(arena.seconds_of([&] { scene.blocked(lines, blocked); }));
  }
  state.SetItemsProcessed(state.iterations());
}

bool register_star_scene(const std::string& name, const std::function<StarScene()>& make, bool sampled) {
  for (const int threads : {1, 2}) {
    const std::string suffix = name + "/threads:" + std::to_string(threads);
    benchmark::RegisterBenchmark(("starlight/" + suffix).c_str(), measure_visibility, make, threads)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    if (!sampled) continue;
    benchmark::RegisterBenchmark(("starlight_by_1024_samples/" + suffix).c_str(), sample, make, threads)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
  return true;
}

bool register_overlapping() {
  for (const std::uint64_t bodies : {1, 2, 3, 4, 6, 8, 10})
    register_star_scene(
        "overlapping:" + std::to_string(bodies), [bodies] { return overlapping(bodies, law); }, true);
  return register_star_scene("overlapping:2/power2", [] { return overlapping(2, power_law); }, false);
}

bool register_suns() {
  for (const workload::Kind kind : {workload::Kind::hard_belt, workload::Kind::uniform}) {
    const auto make = [kind] { return under_sun(generated(kind, 1'000'000, 0)); };
    const std::string name = std::string(workload::name(kind)) + "/1e6/sun";
    register_star_scene(name, make, false);
    register_star_scene(name + "/own_index", [make] { return by_own_index(make()); }, false);
  }
  return true;
}

[[maybe_unused]] const bool registered =
    register_star_scene("eclipse", eclipse, true) && register_overlapping() &&
    register_star_scene("mixed:1-4", mixed, true) &&
    register_star_scene(
        "crowd/1e6", [] { return generated(workload::Kind::crowd, 1'000'000, 0.00465); }, false) &&
    register_star_scene(
        "planet/1e6", [] { return generated(workload::Kind::planet, 1'000'000, 0.00465); }, false) &&
    register_star_scene(
        "belt/1e6/radius:0.05", [] { return generated(workload::Kind::belt, 1'000'000, 0.05); }, true) &&
    register_star_scene(
        "belt/1e6/above/radius:1", [] { return belt_from_above(1'000'000, 1); }, true) &&
    register_star_scene(
        "belt/1e6/radius:5", [] { return generated(workload::Kind::belt, 1'000'000, 5); }, true) &&
    register_star_scene(
        "belt/1e6/radius:0.05/own_index",
        [] { return by_own_index(generated(workload::Kind::belt, 1'000'000, 0.05)); }, false) &&
    register_star_scene(
        "belt/1e6/above/radius:1/own_index", [] { return by_own_index(belt_from_above(1'000'000, 1)); },
        false) &&
    register_suns();

}  // namespace
}  // namespace sphaera::bench::starlight
