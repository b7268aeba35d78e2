/// \file Answers do not depend on threads, grain, order of the batch or single calls; tasks are isolated;
/// calls can be stopped.

#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <base/arena.hpp>
#include <map>
#include <numeric>
#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/seed.hpp>
#include <thread>

using namespace sphaera;
using namespace sphaera::test;

namespace {

const std::size_t sphere_count = 300, path_count = fewer_in_repeats(500u), other_count = path_count / 10;

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
        questions(draw_questions(spheres, path_count, other_count, random)) {}

  AllRows rows(const QueryOptions& options = {}) const { return all_rows(scene, questions, options); }
};

/// For each number of items another order of them.
class Orders {
 public:
  explicit Orders(Random& random) : random_(random) {}

  template <class Item>
  void permute(std::vector<Item>& items) {
    std::vector<std::size_t>& order = orders_[items.size()];
    if (order.empty()) order = shuffled(items.size(), random_);
    items = permuted(items, order);
  }
  void permute(Questions& q) {
    permute(q.rays), permute(q.segments), permute(q.points), permute(q.balls), permute(q.bullets);
    permute(q.fallers), permute(q.observers), permute(q.receivers), permute(q.skies);
  }

 private:
  Random& random_;
  std::map<std::size_t, std::vector<std::size_t>> orders_;
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
    const AllRows expected = subject.rows();
    for (const int threads : {1, 2, 3, max_threads}) {
      for (const std::size_t grain : {0, 1, 7, 4096}) {
        INFO(threads << " threads, grain " << grain);
        CHECK(differing(subject.rows({.threads = threads, .grain = grain}), expected) == "");
      }
      const Scene rebuilt = Scene::build(subject.spheres, {.threads = threads, .progress = {}});
      CHECK(differing(all_rows(rebuilt, subject.questions), expected) == "");
    }
  }
}

TEST_CASE("answers do not depend on the order of the batch", "[property]") {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, max_threads);
  for (const SceneKind scene_kind : subjects) {
    INFO(name(scene_kind));
    Subject subject(scene_kind);
    Orders orders(subject.random);
    AllRows expected = subject.rows();
    for (const Query* query : every_query())
      if (!query->about_spheres) orders.permute(expected[query]);
    orders.permute(subject.questions);
    CHECK(differing(subject.rows({.threads = max_threads, .grain = 5}), expected) == "");
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
    const Subject subject(scene_kind);
    for (const Query* query : every_query()) {
      INFO(name(scene_kind) << ", " << query->name);
      const std::vector<Bytes> expected = query->rows(subject.scene, subject.questions);
      std::size_t different = 0;
      for (std::size_t i = 0; i < expected.size(); ++i)
        different += query->alone(subject.scene, subject.questions, i) == expected[i] ? 0 : 1;
      CHECK(!expected.empty());
      CHECK(different == 0);
    }
  }
}

TEST_CASE("many threads may query one scene", "[property]") {
  const Subject subject(SceneKind::extremes);
  const AllRows expected = subject.rows();
  std::atomic<int> different{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] { different += differing(subject.rows(), expected) == "" ? 0 : 1; });
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
  for (const Query* query : every_query()) {
    INFO(query->name);
    CHECK(is_cancelled([&] { query->ask(subject.scene, subject.questions, {.stop = stopped.get_token()}); }));
  }
  CHECK(is_cancelled(
      [&] { (void)Scene::build(subject.spheres, {.stop = stopped.get_token(), .progress = {}}); }));
  CHECK(differing(subject.rows(), all_rows(Scene::build(subject.spheres), subject.questions)) == "");
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
  CHECK(differing(all_rows(scene, subject.questions),
                  all_rows(Scene::build(scene.spheres()), subject.questions)) == "");
}
