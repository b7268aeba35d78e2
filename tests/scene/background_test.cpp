/// \file Indices that are built in the background, and taken over with what has changed meanwhile.

#include <sphaera/scene.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <base/sanitizers.hpp>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <scene/state.hpp>
#include <set>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/scene/counted_memory.hpp>
#include <tests/seed.hpp>
#include <tests/skipped.hpp>
#include <thread>
#include <tools/workload/workload.hpp>
#include <utility>

namespace sphaera {

namespace {

using Rebuild = UpdateOptions::Rebuild;
using test::Random;

/// Are its answers those of brute force?
void check_answers(const Scene& scene, const std::vector<Ray>& rays) {
  const QueryOptions brute{.search = Search::brute_force};
  REQUIRE(scene.blocked(rays) == scene.blocked(rays, brute));
  REQUIRE(std::ranges::equal(scene.first_hit(rays), scene.first_hit(rays, brute), {}, &Hit::sphere,
                             &Hit::sphere));
}

/// A crowd in which some change places, and some are gone for a while.
class Restless {
 public:
  Restless(std::size_t n, std::size_t swaps)
      : spheres_(workload::spheres(workload::Kind::crowd, n, test::seed())),
        swaps_(swaps),
        scene_(Scene::build(spheres_)) {
    for (const Sphere& sphere : spheres_) centers_.push_back(sphere.center);
    for (std::size_t i = 0; i < n; ++i) there_.insert(static_cast<std::int64_t>(i));
  }

  const Scene& scene() const { return scene_; }
  /// Runs one frame. `whole`: updates all spheres, else only those that swapped places. Returns true if the
  /// index was replaced.
  bool frame(bool whole) {
    swap_places();
    const bool before = random_.one_in(2);
    if (before) leave();
    const bool rebuilt = whole ? scene_.update(centers_, {}, options_).rebuilt : move_few();
    if (!before) leave();
    come_back();
    return rebuilt;
  }

 private:
  std::int64_t anyone() { return static_cast<std::int64_t>(random_.bits() % spheres_.size()); }
  Vec3& place(std::int64_t id) { return centers_[static_cast<std::size_t>(id)]; }

  void swap_places() {
    moved_.clear();
    // Few swaps at a time are repaired. Many at once wear the index out.
    const std::size_t swaps = frames_++ % 64 == 0 ? spheres_.size() / 4 : swaps_;
    for (std::size_t i = 0; i < swaps; ++i) {
      const std::int64_t one = anyone(), other = anyone();
      std::swap(place(one), place(other));
      moved_.insert(one), moved_.insert(other);
    }
  }
  void leave() {
    std::set<std::int64_t> ids;
    for (std::size_t i = 0; i < spheres_.size() / 100; ++i) ids.insert(anyone());
    std::erase_if(ids, [&](std::int64_t id) { return !there_.contains(id); });
    scene_.erase(std::vector(ids.begin(), ids.end()), options_);
    for (const std::int64_t id : ids) there_.erase(id), gone_.insert(id);
  }
  /// Inserts erased spheres again, the smallest ids first. A few with the largest ids stay away.
  void come_back() {
    std::vector<Sphere> back;
    std::vector<std::int64_t> expected;
    while (gone_.size() > spheres_.size() / 200) {
      const std::int64_t id = *gone_.begin();
      gone_.erase(gone_.begin()), there_.insert(id);
      expected.push_back(id), back.push_back({place(id), spheres_[static_cast<std::size_t>(id)].radius});
    }
    REQUIRE(scene_.insert(back, {.update = options_}) == expected);
  }
  bool move_few() {
    std::vector<std::int64_t> ids;
    std::vector<Vec3> places;
    for (const std::int64_t id : moved_)
      if (there_.contains(id)) ids.push_back(id), places.push_back(place(id));
    return scene_.update(ids, places, {}, options_).rebuilt;
  }

  std::vector<Sphere> spheres_;
  std::vector<Vec3> centers_;
  std::size_t swaps_, frames_ = 0;
  Scene scene_;
  std::set<std::int64_t> moved_, there_, gone_;
  UpdateOptions options_{.rebuild = Rebuild::in_background};
  Random random_{test::seed()};
};

/// How the frames of a game come: one after the other, or so that a build has time between them.
enum class Frames { dense, spaced };

std::size_t threads_of_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// Has the process soon no more than so many threads? The system lists a thread for a while after its end.
bool ends_with_threads(std::size_t most) {
  for (int i = 0; i < 10'000; ++i) {
    if (threads_of_process() <= most) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

void take_over(std::size_t n, std::size_t swaps, Frames when, bool whole) {
  Restless crowd(n, swaps);
  const std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 1000, n, test::seed());
  const int turns = test::sanitized() ? 1 : 2;
  int adopted = 0;
  for (int frame = 0; adopted < turns && frame < 20'000; ++frame) {
    const bool now = crowd.frame(whole);
    adopted += now;
    if (now || frame % 64 == 0) check_answers(crowd.scene(), rays);
    if (when == Frames::spaced) std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  CHECK(adopted == turns);
}

}  // namespace

TEST_CASE("an index that is built in the background is taken over, with what has changed meanwhile",
          "[scene][edit][background]") {
  const std::size_t n = test::sanitized() ? 3'000 : 8'000;
  for (const Frames when : {Frames::dense, Frames::spaced})
    for (const bool whole : {true, false}) take_over(n, n / 800, when, whole);
}

TEST_CASE("an index from the background is taken over when it is near, or after four passes",
          "[scene][edit]") {
  const std::size_t n = 2'000;
  const std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 1000, n, test::seed());
  enum class Behind { all_moved, many, few };
  for (const Behind behind : {Behind::all_moved, Behind::many, Behind::few}) {
    Scene scene = Scene::build(workload::spheres(workload::Kind::crowd, n, test::seed()));
    query::SceneState& state = *query::SceneAccess::own(scene);
    std::vector<Vec3> centers;
    for (const Sphere& sphere : scene.spheres()) centers.push_back(sphere.center);
    const UpdateOptions options{.rebuild = Rebuild::never};  // starts no other build
    // Everybody changes places: any new index is better than this one.
    std::ranges::reverse(centers);
    scene.update(centers, {}, options);
    // Changes the scene after the build's pass has ended, as if during the pass.
    const auto change_behind = [&] {
      query::BackgroundBuild::Handle build = std::move(state.background);
      const auto changed = behind == Behind::few ? centers.begin() + 20 : centers.end();
      std::rotate(centers.begin(), centers.begin() + 1, changed);
      scene.update(centers, {}, options);
      const std::vector<std::int64_t> gone{7, 8};
      if (scene.contains(gone[0])) scene.erase(gone, options);
      state.background = std::move(build);
      if (behind == Behind::all_moved) return state.background->note_move();
      for (auto id = static_cast<std::uint32_t>(changed - centers.begin()); id-- > 0;)
        state.background->note_change(id);
    };
    const std::vector<std::int64_t> last{static_cast<std::int64_t>(n - 1)};
    state.background.reset(new query::BackgroundBuild(state));
    state.background->start(state);
    const int most = behind == Behind::few ? 1 : 4;
    for (int pass = 1; pass <= most; ++pass) {
      REQUIRE(state.background->is_under_way());
      while (!state.background->is_idle()) std::this_thread::yield();
      change_behind();
      const UpdateResult result = behind == Behind::all_moved
                                      ? scene.update(centers, {}, options)
                                      : scene.update(last, std::vector{centers.back()}, {}, options);
      CHECK(result.rebuilt == (pass == most));
      check_answers(scene, rays);
    }
    CHECK(!state.background->is_under_way());
  }
}

TEST_CASE("a scene may end while an index is built in the background", "[scene][edit]") {
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::uniform, 2'000, test::seed());
  std::vector<Vec3> centers;
  for (const Sphere& sphere : spheres) centers.push_back(1e3 * sphere.center);
  std::ranges::reverse(centers);
  int threads_seen = 0, under_way = 0, passes_not_ended = 0;
  for (int i = 0; i < 20; ++i) {
    test::CountedMemory memory;
    const std::size_t threads_before = threads_of_process();
    {
      Scene scene = Scene::build(spheres, {.threads = 1, .memory = &memory});
      for (int k = 0; k <= i % 3; ++k) {
        scene.update(centers, {}, {.rebuild = Rebuild::in_background, .threads = 1});
        std::rotate(centers.begin(), centers.begin() + 100, centers.end());
      }
      const auto& background = query::SceneAccess::own(scene)->background;
      REQUIRE(background);
      threads_seen += threads_of_process() > threads_before;
      under_way += background->is_under_way(), passes_not_ended += !background->is_idle();
    }
    CHECK(memory.held == 0);
    CHECK(ends_with_threads(threads_before));
  }
  CHECK(threads_seen > 0);
  CHECK(under_way > 10);
  CHECK(passes_not_ended > 0);
}

namespace {

/// Does a child process that runs `work` end by itself, within ten seconds?
template <class Work>
bool child_ends(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    work();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

#ifndef SPHAERA_THREAD_SANITIZER  // it ends a child of a process with threads
TEST_CASE("a child process may destroy and change a scene whose index was being built", "[scene][edit]") {
  // A sanitizer's own locks may be held by a thread that the child does not have.
  if (test::sanitized())
    return test::skipped("a child process of a process with threads: sanitizers cannot follow it");
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::uniform, 20'000, 1);
  std::vector<Vec3> centers;
  for (const Sphere& sphere : spheres) centers.push_back(1e3 * sphere.center);
  std::ranges::reverse(centers);
  const UpdateOptions options{.rebuild = Rebuild::in_background, .threads = 1};
  for (int i = 0; i < 3; ++i) {
    auto scene = std::make_unique<Scene>(Scene::build(spheres, {.threads = 1}));
    scene->update(centers, {}, options);
    const query::SceneState& state = query::SceneAccess::state(*scene);
    REQUIRE(state.background);
    CHECK(child_ends([&] { scene.reset(); }));
    CHECK(child_ends([&] {
      scene->update(centers, {}, options), scene->update(centers, {}, options);
      scene->erase(std::vector<std::int64_t>{3}, options);
      const Ray ray{centers[9], {1, 0, 0}};
      const Hit hit = scene->first_hit(ray), brute = scene->first_hit(ray, {.search = Search::brute_force});
      if (hit.sphere != brute.sphere) _exit(1);
      scene.reset();
    }));
    if (i == 1)
      while (!state.background->is_idle()) std::this_thread::yield();
    if (i == 1) CHECK(child_ends([&] { scene.reset(); }));
    scene->update(centers, {}, options);
  }
}
#endif

}  // namespace sphaera
