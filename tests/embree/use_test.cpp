/// \file The Embree index as it is used: threads, many callers at once, updates, limits, stops, refusals.

#include <tbb/global_control.h>

#include <tbb/parallel_for.h>
#include <atomic>
#include <sphaera/scene_buffer.hpp>
#include <stdexcept>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/queries/every_query.hpp>
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
  Questions questions;

  Crowd()
      : questions(questions_along(workload::rays(workload::Kind::crowd, 3000, fewer_in_repeats(5000), seed()),
                                  fewer_in_repeats(200u))) {
    questions.segments.resize(fewer_in_repeats(500u)), questions.bullets.resize(fewer_in_repeats(500u));
    questions.spheres = 100;
  }

  AllRows ask(const Scene& scene, const QueryOptions& options) const {
    return all_rows(scene, questions, options);
  }
};

}  // namespace

TEST_CASE("Search::embree gives the same bytes with any number of threads and any grain", "[embree]") {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 8);
  const Crowd crowd;
  const Scene scene = Scene::build(crowd.spheres);
  const AllRows expected = crowd.ask(scene, {});
  for (const int threads : {1, 2, 3, 8}) {
    for (const std::size_t grain : {0, 1, 4096}) {
      const Scene fresh = Scene::build(crowd.spheres);
      const QueryOptions options{.search = Search::embree, .threads = threads, .grain = grain};
      CHECK(differing(crowd.ask(fresh, options), expected) == "");
    }
  }
}

TEST_CASE("many threads may be the first to ask for Search::embree", "[embree]") {
  const Crowd crowd;
  for (int round = 0; round < 5; ++round) {
    const Scene scene = Scene::build(crowd.spheres);
    const AllRows expected = crowd.ask(scene, {});
    CHECK(scene.info().embree_bytes == 0);
    std::atomic<int> different{0};
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
          if (i % 2) (void)scene.first_hit(crowd.questions.rays[0], by_embree);
          different += differing(crowd.ask(scene, by_embree), expected) == "" ? 0 : 1;
        });
      }
    }
    CHECK(different == 0);
    CHECK(scene.info().embree_bytes > 0);
  }
}

TEST_CASE("an update drops the Embree index, and the next query builds one for the new places", "[embree]") {
  const Crowd crowd;
  Scene scene = Scene::build(crowd.spheres);
  (void)crowd.ask(scene, by_embree);
  Random random(seed());
  for (int round = 0; round < 4; ++round) {
    std::vector<Vec3> centers;
    for (const Sphere& s : crowd.spheres) centers.push_back(s.center + random.in_cube(round == 2 ? 1e9 : 3));
    scene.update(centers);
    CHECK(scene.info().embree_bytes == 0);
    CHECK(differing(crowd.ask(scene, by_embree), crowd.ask(scene, {.search = Search::brute_force})) == "");
    CHECK(scene.info().embree_bytes > 0);
  }
  SceneBuffer buffer(crowd.spheres);
  std::vector<Vec3> centers;
  for (const Sphere& s : crowd.spheres) centers.push_back(s.center + Vec3{1, 2, 3});
  for (int round = 0; round < 3; ++round) {
    buffer.update(centers);
    CHECK(differing(crowd.ask(*buffer.current(), by_embree), crowd.ask(*buffer.current(), {})) == "");
  }
}

TEST_CASE("a build of the Embree index that fails leaves the scene as it was", "[embree]") {
  const Crowd crowd;
  const std::uint64_t needed = Scene::build(crowd.spheres).info().index_peak_bytes;
  const Scene scene = Scene::build(crowd.spheres, {.memory_limit = needed});
  for (int i = 0; i < 3; ++i) {
    CHECK(test::refusal([&] { (void)scene.blocked(crowd.questions.rays, by_embree); }).code ==
          ErrorCode::out_of_memory);
    CHECK(test::refusal([&] { (void)scene.blocked(crowd.questions.rays[0], by_embree); }).code ==
          ErrorCode::out_of_memory);
    CHECK(scene.info().embree_bytes == 0);
  }
  CHECK(differing(crowd.ask(scene, {}), crowd.ask(scene, {.search = Search::brute_force})) == "");

  std::stop_source stopped;
  stopped.request_stop();
  const Scene other = Scene::build(crowd.spheres);
  const QueryOptions stop{.search = Search::embree, .stop = stopped.get_token()};
  CHECK(test::refusal([&] { (void)other.blocked(crowd.questions.rays, stop); }).code == ErrorCode::cancelled);
  CHECK(differing(crowd.ask(other, by_embree), crowd.ask(other, {})) == "");
}

TEST_CASE("an exception after a build of the Embree index finds the contexts of its tasks alive",
          "[embree]") {
  const Crowd crowd;
  std::vector<Scene> scenes;
  for (int i = 0; i < 8; ++i) {
    scenes.push_back(Scene::build(crowd.spheres));
    tbb::parallel_for(0, 2, [&](int) { (void)scenes.back().blocked(crowd.questions.rays, by_embree); });
    CHECK_THROWS_AS(tbb::parallel_for(0, 100,
                                      [](int j) {
                                        if (j == 50) throw std::runtime_error("later");
                                      }),
                    std::runtime_error);
  }
  for (const Scene& scene : scenes) CHECK(differing(crowd.ask(scene, by_embree), crowd.ask(scene, {})) == "");
}

TEST_CASE("Search::embree on an empty scene and on spheres of one place", "[embree]") {
  const Crowd crowd;
  const Scene empty = Scene::build({});
  CHECK(differing(crowd.ask(empty, by_embree), crowd.ask(empty, {})) == "");
  CHECK(differing(crowd.ask(Scene(), by_embree), crowd.ask(Scene(), {})) == "");
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
  Questions questions = draw_questions(spheres, fewer_in_repeats(100u), fewer_in_repeats(30u), random);
  questions.spheres = 10, questions.segments.resize(fewer_in_repeats(20u));
  questions.bullets.resize(fewer_in_repeats(20u));
  CHECK(differing(all_rows(scene, questions, by_embree),
                  all_rows(scene, questions, {.search = Search::brute_force})) == "");
}

TEST_CASE("what Search::embree does not answer it refuses before any work", "[embree]") {
  const std::vector<Sphere> spheres{{{0, 0, 0}, 1}, {{5, 0, 0}, 1}};
  const std::vector<Vec3> velocities(2, {0, 1, 0});
  const Scene still = Scene::build(spheres),
              moving = Scene::build(spheres, {.velocities = velocities, .horizon = {0, 1}});
  Random random(seed());
  const Questions questions = draw_questions(spheres, 20, 20, random);
  int refused = 0;
  for (const Query* query : every_query()) {
    INFO(query->name);
    for (const Scene* scene : {&still, &moving}) {
      const char* const what = query->refuses.embree ? query->refuses.embree
                               : scene == &moving    ? query->refuses.embree_among_moving
                                                     : nullptr;
      CHECK(query->takes(*scene, by_embree) == !what);
      if (!what) continue;
      const std::string words = std::string("Search::embree does not answer ") + what +
                                "; give Search::index or Search::brute_force";
      for (const auto& r : {refusal([&] { query->ask(*scene, questions, by_embree); }),
                            refusal([&] { query->ask_alone(*scene, questions, 0, by_embree); })}) {
        CHECK(r.code == ErrorCode::invalid_argument);
        CHECK(r.message == words);
      }
      ++refused;
    }
  }
  CHECK(refused > 8);
  CHECK(still.info().embree_bytes + moving.info().embree_bytes == 0);
  // Rays see moving spheres where they are at time 0.
  CHECK(moving.first_hit(Ray{{-3, 0, 0}, {1, 0, 0}}, by_embree).sphere == 0);
}
