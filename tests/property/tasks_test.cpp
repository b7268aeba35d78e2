/// \file Answers do not depend on threads, grain, order of the batch or single calls; tasks are isolated;
/// calls can be stopped.

#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <base/arena.hpp>
#include <numeric>
#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <tests/answer_bytes.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>
#include <thread>

using namespace sphaera;
using namespace sphaera::test;

namespace {

const std::size_t sphere_count = 300, query_count = fewer_in_repeats(500);

struct Questions {
  std::vector<Ray> rays;
  std::vector<Segment> segments;
  std::vector<Vec3> points;
  std::vector<Ball> balls;

  Questions(const std::vector<Sphere>& spheres, Random& random)
      : rays(make_rays(spheres, query_count, random)),
        segments(make_segments(spheres, query_count, random)),
        points(make_points(spheres, query_count / 10, random)),
        balls(make_balls(spheres, query_count / 10, random)) {}
};

/// The answers to all questions as bytes, one entry for each query.
struct Answers {
  std::vector<Bytes> rays, segments, points, balls;
  friend bool operator==(const Answers&, const Answers&) = default;
};

constexpr std::size_t neighbors = 3;

template <class Path>
std::vector<Bytes> ask_paths(const Scene& scene, const std::vector<Path>& paths,
                             const QueryOptions& options) {
  const auto blocked = scene.blocked(paths, options);
  const auto first = scene.first_hit(paths, options);
  const HitLists all = scene.all_hits(paths, options);
  std::vector<Bytes> answers(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    answers[i].put(blocked[i]);
    answers[i].put(first[i]);
    answers[i].put(all[i]);
  }
  return answers;
}

Answers ask(const Scene& scene, const Questions& questions, const QueryOptions& options = {}) {
  Answers answers{
      ask_paths(scene, questions.rays, options), ask_paths(scene, questions.segments, options), {}, {}};
  const auto nearest = scene.nearest(questions.points, neighbors, options);
  const IdLists within = scene.within(questions.balls, options);
  const NeighborLists around = scene.neighbors_within(questions.balls, options);
  const std::vector<std::uint64_t> counts = scene.count_within(questions.balls, options);
  answers.points.resize(questions.points.size());
  answers.balls.resize(questions.balls.size());
  for (std::size_t i = 0; i < questions.points.size(); ++i) {
    answers.points[i].put(std::span(nearest).subspan(i * neighbors, neighbors));
  }
  for (std::size_t i = 0; i < questions.balls.size(); ++i) {
    answers.balls[i].put(within[i]), answers.balls[i].put(around[i]), answers.balls[i].put(counts[i]);
  }
  return answers;
}

template <class Item>
std::vector<Item> permuted(const std::vector<Item>& items, const std::vector<std::size_t>& order) {
  std::vector<Item> result;
  for (const std::size_t i : order) result.push_back(items[i]);
  return result;
}

std::vector<std::size_t> shuffled(std::size_t n, Random& random) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.bits() % i]);
  return order;
}

struct Subject {
  Random random;
  std::vector<Sphere> spheres;
  Scene scene;
  Questions questions;

  explicit Subject(SceneKind scene_kind)
      : random(seed(), 77),
        spheres(make_spheres(scene_kind, sphere_count, random)),
        scene(Scene::build(spheres)),
        questions(spheres, random) {}
};

/// More than a small machine has, so that threads really take turns.
constexpr int max_threads = 8;

constexpr SceneKind subjects[] = {SceneKind::crowd, SceneKind::nested, SceneKind::lattice,
                                  SceneKind::extremes};

template <class Work>
bool is_cancelled(const Work& work) {
  try {
    work();
    return false;
  } catch (const Error& error) {
    return error.code() == ErrorCode::cancelled;
  }
}

}  // namespace

TEST_CASE("answers do not depend on threads or grain", "[property]") {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, max_threads);
  for (const SceneKind scene_kind : subjects) {
    INFO(name(scene_kind));
    const Subject subject(scene_kind);
    const Answers expected = ask(subject.scene, subject.questions);
    for (const int threads : {1, 2, 3, max_threads}) {
      for (const std::size_t grain : {0, 1, 7, 4096}) {
        INFO(threads << " threads, grain " << grain);
        CHECK(ask(subject.scene, subject.questions, {.threads = threads, .grain = grain}) == expected);
      }
      const Scene rebuilt = Scene::build(subject.spheres, {.threads = threads, .progress = {}});
      CHECK(ask(rebuilt, subject.questions) == expected);
    }
  }
}

TEST_CASE("answers do not depend on the order of the batch", "[property]") {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, max_threads);
  for (const SceneKind scene_kind : subjects) {
    INFO(name(scene_kind));
    Subject subject(scene_kind);
    const Answers expected = ask(subject.scene, subject.questions);
    const auto order = shuffled(subject.questions.rays.size(), subject.random);
    const auto point_order = shuffled(subject.questions.points.size(), subject.random);
    Questions questions = subject.questions;
    questions.rays = permuted(questions.rays, order);
    questions.segments = permuted(questions.segments, order);
    questions.points = permuted(questions.points, point_order);
    questions.balls = permuted(questions.balls, point_order);
    const Answers answers = ask(subject.scene, questions, {.threads = max_threads, .grain = 5});
    CHECK(answers.rays == permuted(expected.rays, order));
    CHECK(answers.segments == permuted(expected.segments, order));
    CHECK(answers.points == permuted(expected.points, point_order));
    CHECK(answers.balls == permuted(expected.balls, point_order));
  }
}

TEST_CASE("the sphere that is hit does not depend on the order of the spheres", "[property]") {
  Subject subject(SceneKind::crowd);  // no two of its spheres are entered together, save at t_min
  const auto order = shuffled(subject.spheres.size(), subject.random);
  const Scene other = Scene::build(permuted(subject.spheres, order));
  const auto& rays = subject.questions.rays;
  const auto expected = subject.scene.first_hit(rays), got = other.first_hit(rays);
  std::size_t different = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const bool both_miss = expected[i].sphere < 0 && got[i].sphere < 0;
    const bool together = expected[i].t_enter == rays[i].t_min && got[i].t_enter == rays[i].t_min;
    const bool alike = expected[i].sphere >= 0 && got[i].sphere >= 0 &&
                       order[got[i].sphere] == static_cast<std::size_t>(expected[i].sphere);
    different += both_miss || together || alike ? 0 : 1;
  }
  CHECK(different == 0);
}

TEST_CASE("single queries have the answers of batches", "[property]") {
  for (const SceneKind scene_kind : subjects) {
    INFO(name(scene_kind));
    const Subject subject(scene_kind);
    const Answers expected = ask(subject.scene, subject.questions);
    const auto ask_one = [&](const auto& path) {
      Bytes bytes;
      bytes.put(static_cast<std::uint8_t>(subject.scene.blocked(path)));
      bytes.put(subject.scene.first_hit(path));
      bytes.put(subject.scene.all_hits(path));
      return bytes;
    };
    std::size_t different = 0;
    for (std::size_t i = 0; i < query_count; ++i) {
      different += ask_one(subject.questions.rays[i]) == expected.rays[i] ? 0 : 1;
      different += ask_one(subject.questions.segments[i]) == expected.segments[i] ? 0 : 1;
    }
    const auto nearest = subject.scene.nearest(subject.questions.points, neighbors);
    for (std::size_t i = 0; i < subject.questions.points.size(); ++i) {
      different += same(subject.scene.nearest(subject.questions.points[i]), nearest[i * neighbors]) ? 0 : 1;
      Bytes within;
      within.put(subject.scene.within(subject.questions.balls[i]));
      within.put(subject.scene.neighbors_within(subject.questions.balls[i]));
      within.put(subject.scene.count_within(subject.questions.balls[i]));
      different += within == expected.balls[i] ? 0 : 1;
    }
    CHECK(different == 0);
  }
}

TEST_CASE("many threads may query one scene", "[property]") {
  const Subject subject(SceneKind::extremes);
  const Answers expected = ask(subject.scene, subject.questions);
  std::atomic<int> different{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] { different += ask(subject.scene, subject.questions) == expected ? 0 : 1; });
    }
  }
  CHECK(different == 0);
}

TEST_CASE("a thread that waits for a batch does not take up its caller's other tasks", "[property]") {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, max_threads);
  const Subject subject(SceneKind::crowd);
  // Long enough that some thread waits for a piece whose thread the system has interrupted.
  const std::size_t tasks = fewer_in_repeats(64);
  constexpr int repeats = 4;
  const QueryOptions slowly{.search = Search::brute_force, .grain = 1};
  thread_local bool inside = false;
  std::atomic<int> entered_twice{0};
  base::in_arena(max_threads, [&] {
    base::parallel_pieces(tasks, 1, [&](std::size_t, std::size_t) {
      if (inside) ++entered_twice;
      inside = true;
      for (int i = 0; i < repeats; ++i) (void)subject.scene.first_hit(subject.questions.rays, slowly);
      (void)Scene::build(subject.spheres);
      inside = false;
    });
  });
  CHECK(entered_twice == 0);
}

TEST_CASE("a stop cancels builds and batches and leaves the scene usable", "[property]") {
  const Subject subject(SceneKind::crowd);
  std::stop_source stopped;
  stopped.request_stop();
  const QueryOptions options{.stop = stopped.get_token()};
  const Questions& questions = subject.questions;
  CHECK(is_cancelled([&] { (void)subject.scene.blocked(questions.rays, options); }));
  CHECK(is_cancelled([&] { (void)subject.scene.first_hit(questions.segments, options); }));
  CHECK(is_cancelled([&] { (void)subject.scene.all_hits(questions.rays, options); }));
  CHECK(is_cancelled([&] { (void)subject.scene.nearest(questions.points, 1, options); }));
  CHECK(is_cancelled([&] { (void)subject.scene.within(questions.balls, options); }));
  CHECK(is_cancelled([&] { (void)subject.scene.count_within(questions.balls, options); }));
  CHECK(is_cancelled([&] { (void)subject.scene.neighbors_within(questions.balls, options); }));
  CHECK(is_cancelled([&] { (void)subject.scene.nearest_to_spheres(1, options); }));
  CHECK(is_cancelled(
      [&] { (void)Scene::build(subject.spheres, {.stop = stopped.get_token(), .progress = {}}); }));
  CHECK(ask(subject.scene, subject.questions) == ask(Scene::build(subject.spheres), subject.questions));
}

TEST_CASE("a stop from another thread, or from the progress callback, ends the work soon", "[property]") {
  const Subject subject(SceneKind::crowd);
  for (int round = 0; round < 20; ++round) {
    std::stop_source source;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(50 * round));
      source.request_stop();
    });
    std::vector<Hit> out(subject.questions.rays.size());
    const std::uint64_t endless = 100'000;
    CHECK(is_cancelled([&] {
      for (std::uint64_t i = 0; i < endless; ++i) {
        subject.scene.first_hit(subject.questions.rays, out, {.stop = source.get_token()});
      }
    }));
  }
  std::stop_source source;
  const BuildOptions options{.stop = source.get_token(), .progress = [&](double) { source.request_stop(); }};
  CHECK(is_cancelled([&] { (void)Scene::build(subject.spheres, options); }));
}

TEST_CASE("what a progress callback throws reaches the caller, wherever the build is", "[property]") {
  struct Halt {};
  const Subject subject(SceneKind::crowd);
  std::vector<Vec3> moved;
  moved.reserve(subject.spheres.size());
  for (const Sphere& sphere : subject.spheres) moved.push_back(sphere.center + Vec3{1, 0, 0});
  Scene scene = Scene::build(subject.spheres);
  std::atomic<int> reports{0};
  (void)Scene::build(subject.spheres, {.threads = 1, .progress = [&](double) { ++reports; }});
  const int all = reports;
  for (int last = 1; last <= all; ++last) {
    INFO("report " << last << " of " << all);
    const auto halt = [&](double) {
      if (++reports == last) throw Halt();
    };
    reports = 0;
    CHECK_THROWS_AS(Scene::build(subject.spheres, {.threads = 1, .progress = halt}), Halt);
    reports = 0;
    const UpdateOptions rebuild{.rebuild = UpdateOptions::Rebuild::always, .threads = 1, .progress = halt};
    CHECK_THROWS_AS(scene.update(moved, {}, rebuild), Halt);
  }
  CHECK(scene.spheres()[0].center == moved[0]);
  CHECK(ask(scene, subject.questions) == ask(Scene::build(scene.spheres()), subject.questions));
}
