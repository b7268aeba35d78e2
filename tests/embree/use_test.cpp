/// \file The Embree index as it is used: threads, many callers at once, updates, limits, stops, refusals.

#include <tbb/global_control.h>

#include <tbb/parallel_for.h>
#include <atomic>
#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <sphaera/scene_buffer.hpp>
#include <stdexcept>
#include <tests/answer_bytes.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/refusal.hpp>
#include <tests/seed.hpp>
#include <thread>
#include <tools/workload/workload.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

const QueryOptions by_embree{.search = Search::embree};

struct Crowd {
  std::vector<Sphere> spheres = workload::spheres(workload::Kind::crowd, 3000, seed());
  std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 3000, fewer_in_repeats(5000), seed());
  std::vector<Vec3> points;
  std::vector<Bullet> bullets;

  Crowd() {
    for (const Ray& ray : rays) {
      points.push_back(ray.origin);
      bullets.push_back({ray.origin, ray.direction, 0.01});
    }
  }

  Bytes ask(const Scene& scene, const QueryOptions& options) const {
    Bytes out;
    out.put(scene.blocked(rays, options)), out.put(scene.first_hit(rays, options));
    out.put(scene.all_hits(rays, options));
    out.put(scene.nearest(std::span(points).first(200), 3, options));
    out.put(scene.all_impacts(std::span(bullets).first(500), {.bounces = 2}, options));
    return out;
  }
};

}  // namespace

TEST_CASE("Search::embree gives the same bytes with any number of threads and any grain", "[embree]") {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 8);
  const Crowd crowd;
  const Scene scene = Scene::build(crowd.spheres);
  const Bytes expected = crowd.ask(scene, {});
  for (const int threads : {1, 2, 3, 8}) {
    for (const std::size_t grain : {0, 1, 4096}) {
      const Scene fresh = Scene::build(crowd.spheres);
      const QueryOptions options{.search = Search::embree, .threads = threads, .grain = grain};
      CHECK((crowd.ask(fresh, options) == expected));
    }
  }
}

TEST_CASE("many threads may be the first to ask for Search::embree", "[embree]") {
  const Crowd crowd;
  for (int round = 0; round < 5; ++round) {
    const Scene scene = Scene::build(crowd.spheres);
    const Bytes expected = crowd.ask(scene, {});
    CHECK(scene.info().embree_bytes == 0);
    std::atomic<int> different{0};
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
          if (i % 2) (void)scene.first_hit(crowd.rays[0], by_embree);
          different += crowd.ask(scene, by_embree) == expected ? 0 : 1;
        });
      }
    }
    CHECK(different == 0);
    CHECK(scene.info().embree_bytes > 0);
  }
}

TEST_CASE("an update drops the Embree index, and the next query builds one for the new places", "[embree]") {
  Crowd crowd;
  Scene scene = Scene::build(crowd.spheres);
  (void)crowd.ask(scene, by_embree);
  Random random(seed());
  for (int round = 0; round < 4; ++round) {
    std::vector<Vec3> centers;
    for (const Sphere& s : crowd.spheres) centers.push_back(s.center + random.in_cube(round == 2 ? 1e9 : 3));
    scene.update(centers);
    CHECK(scene.info().embree_bytes == 0);
    CHECK((crowd.ask(scene, by_embree) == crowd.ask(scene, {.search = Search::brute_force})));
    CHECK(scene.info().embree_bytes > 0);
  }
  SceneBuffer buffer(crowd.spheres);
  std::vector<Vec3> centers;
  for (const Sphere& s : crowd.spheres) centers.push_back(s.center + Vec3{1, 2, 3});
  for (int round = 0; round < 3; ++round) {
    buffer.update(centers);
    CHECK((crowd.ask(*buffer.current(), by_embree) == crowd.ask(*buffer.current(), {})));
  }
}

TEST_CASE("a build of the Embree index that fails leaves the scene as it was", "[embree]") {
  const Crowd crowd;
  const std::uint64_t needed = Scene::build(crowd.spheres).info().index_peak_bytes;
  const Scene scene = Scene::build(crowd.spheres, {.memory_limit = needed});
  for (int i = 0; i < 3; ++i) {
    CHECK(test::refusal([&] { (void)scene.blocked(crowd.rays, by_embree); }).code ==
          ErrorCode::out_of_memory);
    CHECK(test::refusal([&] { (void)scene.blocked(crowd.rays[0], by_embree); }).code ==
          ErrorCode::out_of_memory);
    CHECK(scene.info().embree_bytes == 0);
  }
  CHECK((crowd.ask(scene, {}) == crowd.ask(scene, {.search = Search::brute_force})));

  std::stop_source stopped;
  stopped.request_stop();
  const Scene other = Scene::build(crowd.spheres);
  const QueryOptions stop{.search = Search::embree, .stop = stopped.get_token()};
  CHECK(test::refusal([&] { (void)other.blocked(crowd.rays, stop); }).code == ErrorCode::cancelled);
  CHECK((crowd.ask(other, by_embree) == crowd.ask(other, {})));
}

TEST_CASE("an exception after a build of the Embree index finds the contexts of its tasks alive",
          "[embree]") {
  const Crowd crowd;
  std::vector<Scene> scenes;
  for (int i = 0; i < 8; ++i) {
    scenes.push_back(Scene::build(crowd.spheres));
    tbb::parallel_for(0, 2, [&](int) { (void)scenes.back().blocked(crowd.rays, by_embree); });
    CHECK_THROWS_AS(tbb::parallel_for(0, 100,
                                      [](int j) {
                                        if (j == 50) throw std::runtime_error("later");
                                      }),
                    std::runtime_error);
  }
  for (const Scene& scene : scenes) CHECK((crowd.ask(scene, by_embree) == crowd.ask(scene, {})));
}

TEST_CASE("Search::embree on an empty scene and on spheres of one place", "[embree]") {
  const Crowd crowd;
  const Scene empty = Scene::build({});
  CHECK((crowd.ask(empty, by_embree) == crowd.ask(empty, {})));
  CHECK((crowd.ask(Scene(), by_embree) == crowd.ask(Scene(), {})));
  const Scene alike = Scene::build(std::vector<Sphere>(5000, {{1, 2, 3}, 1e-9}));
  const Ray ray{{0, 0, 0}, {1, 2, 3}};
  CHECK(alike.all_hits(ray, by_embree).size() == 5000);
  CHECK(alike.first_hit(ray, by_embree).sphere == 0);
  CHECK(alike.within(Ball{{1, 2, 3}, 0}, by_embree).size() == 5000);
}

TEST_CASE("spheres each four fifths of the one before, which no tree divides well", "[embree]") {
  std::vector<Sphere> spheres;
  double x = 0x1p190;
  for (int i = 0; i < 3000; ++i, x *= 0.8) spheres.push_back({{x, x / 3, -x / 7}, x / 20});
  const Scene scene = Scene::build(spheres);
  Random random(seed());
  const std::vector<Ray> rays = make_rays(spheres, fewer_in_repeats(100), random);
  const std::vector<Vec3> points = make_points(spheres, fewer_in_repeats(30), random);
  CHECK((scene.blocked(rays, by_embree) == scene.blocked(rays, {.search = Search::brute_force})));
  Bytes embree, brute;
  embree.put(scene.all_hits(rays, by_embree)), embree.put(scene.nearest(points, 3, by_embree));
  brute.put(scene.all_hits(rays, {.search = Search::brute_force}));
  brute.put(scene.nearest(points, 3, {.search = Search::brute_force}));
  CHECK((embree == brute));
}

TEST_CASE("what Search::embree does not answer it refuses before any work", "[embree]") {
  const std::vector<Sphere> spheres{{{0, 0, 0}, 1}, {{5, 0, 0}, 1}};
  const std::vector<Vec3> velocities(2, {0, 1, 0});
  const Scene still = Scene::build(spheres),
              moving = Scene::build(spheres, {.velocities = velocities, .horizon = {0, 1}});
  const std::vector<Bullet> bullets{{{-3, 0, 0}, {1, 0, 0}}};
  const std::vector<Star> stars{Star::at({9, 9, 9}, 1)};
  const std::vector<Observer> observers{{{0, 0, 3}}};
  const std::vector<Source> sources{{stars[0], 1}};
  const std::vector<Receiver> receivers{{observers[0], {0, 0, 1}}};
  const FlightOptions falling{.gravity = {0, 0, -1}};
  const auto check = [&](const std::function<void()>& work, const char* what) {
    CHECK(test::refusal(work).code == ErrorCode::invalid_argument);
    CHECK(test::refusal(work).message == std::string("Search::embree does not answer ") + what +
                                             "; give Search::index or Search::brute_force");
  };
  check([&] { (void)still.starlight(stars, observers, by_embree); }, "starlight");
  check([&] { (void)still.starlight(stars[0], observers[0], by_embree); }, "starlight");
  check([&] { (void)still.irradiance(sources, receivers, by_embree); }, "irradiance");
  check([&] { (void)still.near_misses(bullets, 1, by_embree); }, "near misses");
  check([&] { (void)still.first_impact(bullets, falling, by_embree); }, "bullets under gravity");
  check([&] { (void)still.all_impacts(bullets[0], falling, by_embree); }, "bullets under gravity");
  check([&] { (void)moving.first_impact(bullets[0], {}, by_embree); }, "bullets among spheres that move");
  check([&] { (void)moving.all_impacts(bullets, {}, by_embree); }, "bullets among spheres that move");
  CHECK(still.info().embree_bytes + moving.info().embree_bytes == 0);
  // Rays see moving spheres where they are at time 0.
  CHECK(moving.first_hit(Ray{{-3, 0, 0}, {1, 0, 0}}, by_embree).sphere == 0);
}
