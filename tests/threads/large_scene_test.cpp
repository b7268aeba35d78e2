/// \file Scenes large enough that builds, updates and batches of rays are cut into pieces, and an index of a
/// star is built: the same bytes as on one thread. ThreadSanitizer watches if it is built in.

#include <tbb/global_control.h>

#include <algorithm>
#include <random>
#include <sphaera/sphaera.hpp>
#include <tools/workload/workload.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using workload::Kind;

constexpr int threads = 4;

struct World {
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;
  test::Questions questions;

  /// `others`: of all that takes longer than a ray.
  World(Kind kind, std::size_t n, std::size_t rays, std::size_t others)
      : spheres(workload::spheres(kind, n, test::seed())),
        velocities(workload::velocities(kind, n, test::seed())),
        questions(test::questions_along(workload::rays(kind, rays, n, test::seed()), others)) {
    questions.segments.resize(others), questions.fallers.resize(others / 10);
    questions.bullets = workload::bullets(kind, others, n, test::seed());
    for (std::size_t i = 0; i < others; ++i) {
      const Sphere& s = spheres[i * 7919 % n];
      questions.points[i] = s.center + Vec3{2 * s.radius, 0, 0};
      questions.balls[i] = {s.center, 3 * s.radius};
    }
    questions.spheres = others;
  }

  Scene build(BuildQuality quality, int some_threads) const {
    return Scene::build(spheres, {.velocities = velocities,
                                  .horizon = Horizon{0, 1},
                                  .quality = quality,
                                  .threads = some_threads,
                                  .progress = {}});
  }
};

/// The answers of both scenes, one asked on one thread, the other on many.
void check_same(const Scene& one, const Scene& many, const World& world) {
  CHECK(test::differing(test::all_rows(many, world.questions, {.threads = threads}),
                        test::all_rows(one, world.questions, {.threads = 1})) == "");
}

/// The centers, each moved by up to 3 along x and y.
std::vector<Vec3> pushed(const std::vector<Sphere>& spheres) {
  std::mt19937_64 random(test::seed());
  std::uniform_real_distribution<double> push(-3, 3);
  std::vector<Vec3> centers;
  for (const Sphere& s : spheres) centers.push_back(s.center + Vec3{push(random), push(random), 0});
  return centers;
}

}  // namespace

TEST_CASE("large builds, updates and batches are the same on one thread and on many", "[threads]") {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, threads);
  struct Case {
    Kind kind;
    std::size_t spheres;
    BuildQuality quality;
  };
  for (const auto& [kind, spheres, quality] :
       {Case{Kind::crowd, 250'000, BuildQuality::fast}, Case{Kind::uniform, 40'000, BuildQuality::balanced},
        Case{Kind::crowd, 40'000, BuildQuality::compact},
        Case{Kind::planet, 40'000, BuildQuality::balanced}}) {
    INFO(workload::name(kind) << ", " << spheres);
    const World world(kind, spheres, 20'000, 2'000);
    Scene one = world.build(quality, 1), many = world.build(quality, threads);
    check_same(one, many, world);
    const std::vector<Vec3> centers = pushed(world.spheres);
    one.update(centers, {}, {.threads = 1, .progress = {}});
    many.update(centers, {}, {.threads = threads, .progress = {}});
    check_same(one, many, world);
  }
}

TEST_CASE("starlight of a large scene is the same on one thread and on many", "[threads]") {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, threads);
  constexpr std::size_t bodies = 20'000;
  const std::vector<Sphere> belt = workload::spheres(Kind::belt, bodies, test::seed());
  const Scene scene = Scene::build(belt);
  const Star stars[] = {Star::at({0, 0, 0}, 0.5, LimbDarkening::quadratic(0.4, 0.26)),
                        Star::at_infinity({-1, 0.2, 0.1}, 0.05)};
  std::vector<Observer> observers;
  for (std::size_t i = 0; i < 2000; ++i)
    observers.push_back({belt[i * 7].center + Vec3{0, 0, 3 * belt[i * 7].radius}});
  const std::vector<Visibility> one = scene.starlight(stars, observers, {.threads = 1}),
                                many = scene.starlight(stars, observers, {.threads = threads});
  CHECK(std::ranges::equal(one, many,
                           [](const Visibility& a, const Visibility& b) { return test::same(a, b); }));
}

TEST_CASE("segments to one lamp, through its index, have the answers of one thread without it", "[threads]") {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, threads);
  constexpr std::size_t bodies = 40'000;
  const std::vector<Sphere> spheres = workload::spheres(Kind::uniform, bodies, test::seed());
  const Scene scene = Scene::build(spheres, {.threads = threads, .progress = {}});
  const Vec3 lamp = spheres[0].center + Vec3{2 * spheres[0].radius, 0, 0};
  std::vector<Segment> ways;
  for (std::size_t i = 0; i < 70'000; ++i) {
    const Sphere& s = spheres[i % bodies];
    ways.push_back({s.center + (i < bodies ? 2 : -2) * Vec3{0, s.radius, 0}, lamp});
  }
  const QueryOptions alone{.automatic_viewpoint_indexes = false, .threads = 1};
  QueryStats stats;
  const QueryOptions together{.threads = threads, .stats = &stats};
  CHECK(scene.blocked(ways, together) == scene.blocked(ways, alone));
  CHECK(stats.in_viewpoint_indexes > 0);
  CHECK(test::all_same(scene.first_hit(ways, together), scene.first_hit(ways, alone)));
}

}  // namespace sphaera
