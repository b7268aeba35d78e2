/// \file A memory resource of the caller's that fails in its own way, at each call in turn: the scene is as
/// it was, or changed, and its answers are right.

#include <sphaera/error.hpp>
#include <sphaera/scene_buffer.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory_resource>
#include <scene/state.hpp>
#include <stdexcept>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/seed.hpp>
#include <thread>

namespace sphaera {
namespace {

using Rebuild = UpdateOptions::Rebuild;
using test::Random;

enum class Failure : std::uint8_t { error, number, library_error, null };

/// Fails at one call, or at that one and all later ones.
class Failing final : public std::pmr::memory_resource {
 public:
  void arm(long after, Failure failure, bool for_good) {
    failure_ = failure, for_good_ = for_good, has_failed_ = false;
    left_ = after;
  }
  bool disarm() {
    left_ = -1;
    return has_failed_;
  }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (left_ >= 0 && left_-- == 0) {
      has_failed_ = true, left_ = for_good_ ? 0 : -1;
      switch (failure_) {
        case Failure::error:
          throw std::runtime_error("over budget");
        case Failure::number:
          throw 7;
        case Failure::library_error:
          throw Error(ErrorCode::invalid_argument, "over budget");
        case Failure::null:
          return nullptr;
      }
    }
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::atomic<long> left_{-1};
  std::atomic<Failure> failure_{};
  std::atomic<bool> for_good_{false}, has_failed_{false};
};

/// Calls attempt(memory, arm) with each call of `memory` failing in turn; arm() arms it.
template <class Attempt>
void fail_each_call(const Attempt& attempt) {
  for (const Failure failure : {Failure::error, Failure::number, Failure::library_error, Failure::null}) {
    // UBSan refuses the null in <memory_resource>. What is thrown is caught in the same places; the release
    // run and tests/long throw all.
    if (test::sanitized() && (failure == Failure::null || (failure != Failure::number && !test::all_cases())))
      continue;
    for (const bool for_good : {false, true}) {
      bool failed = true;
      for (long n = 0; failed; ++n) {
        CAPTURE(static_cast<int>(failure), for_good, n);
        REQUIRE(n < 1000);
        Failing memory;
        attempt(memory, [&] { memory.arm(n, failure, for_good); });
        failed = memory.disarm();
      }
    }
  }
}

/// Is its error out_of_memory?
template <class Work>
bool runs_out_of_memory(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    REQUIRE(error.code() == ErrorCode::out_of_memory);
    return true;
  }
  return false;
}

void check_right(const Scene& scene, const std::vector<Ray>& rays) {
  const QueryOptions brute{.search = Search::brute_force};
  CHECK(std::ranges::equal(scene.first_hit(rays), scene.first_hit(rays, brute), {}, &Hit::sphere,
                           &Hit::sphere));
}

struct Places {
  std::vector<Sphere> spheres;
  std::vector<Vec3> here, there;
  std::vector<Ray> rays;

  explicit Places(Random& random) : spheres(make_spheres(test::SceneKind::crowd, 700, random)) {
    here = there = test::centers_of(spheres);
    std::ranges::reverse(there);
    rays = make_rays(spheres, 50, random);
  }
};

}  // namespace

TEST_CASE("a build ends with out_of_memory, whatever the memory resource throws", "[scene][resource]") {
  Random random(test::seed());
  const Places places(random);
  fail_each_call([&](Failing& memory, const auto& arm) {
    arm();
    Scene scene;
    if (runs_out_of_memory([&] { scene = Scene::build(places.spheres, {.memory = &memory}); })) return;
    memory.disarm();
    check_right(scene, places.rays);
  });
}

TEST_CASE("an update refits the index, whatever the memory resource throws", "[scene][resource]") {
  Random random(test::seed());
  const Places places(random);
  for (const Rebuild rebuild : {Rebuild::never, Rebuild::when_degraded, Rebuild::always}) {
    fail_each_call([&](Failing& memory, const auto& arm) {
      Scene scene = Scene::build(places.spheres, {.memory = &memory});
      arm();
      scene.update(places.there, {}, {.rebuild = rebuild});
      memory.disarm();
      CHECK(std::ranges::equal(scene.spheres(), places.there, {}, &Sphere::center));
      check_right(scene, places.rays);
      scene.update(places.here, {}, {.rebuild = rebuild});
      check_right(scene, places.rays);
    });
  }
}

TEST_CASE("an index is built in the background or not, whatever the memory resource throws",
          "[scene][resource]") {
  Random random(test::seed());
  const Places places(random);
  const UpdateOptions options{.rebuild = Rebuild::in_background};
  fail_each_call([&](Failing& memory, const auto& arm) {
    Scene scene = Scene::build(places.spheres, {.memory = &memory});
    const query::SceneState& state = query::SceneAccess::state(scene);
    arm();
    for (int frame = 0; frame < 3; ++frame) {
      scene.update(frame % 2 ? places.here : places.there, {}, options);
      while (state.background && !state.background->is_idle()) std::this_thread::yield();
    }
    memory.disarm();
    CHECK(std::ranges::equal(scene.spheres(), places.there, {}, &Sphere::center));
    check_right(scene, places.rays);
  });
}

TEST_CASE("edits leave the scene as it was or are made, whatever the memory resource throws",
          "[scene][resource]") {
  Random random(test::seed());
  const Places places(random);
  const std::vector<std::int64_t> some{3, 7, 600};
  const std::vector<Vec3> far{{1, 1, 1}, {2, 2, 2}, {1e9, 0, 0}};
  const std::vector<std::uint8_t> layers{1, 2, 3};
  const std::vector<std::function<void(Scene&)>> edits{
      [&](Scene& s) { s.insert(std::span(places.spheres).first(300)); },
      [&](Scene& s) { s.insert(std::span(places.spheres).first(3)); },
      [&](Scene& s) { s.erase(some); },
      [&](Scene& s) { s.set_enabled(some, false); },
      [&](Scene& s) { s.update(some, far); },
      [&](Scene& s) { s.set_radii(some, std::vector<double>{1, 2, 3}); },
      [&](Scene& s) { s.set_layers(some, layers); }};
  for (const auto& edit : edits) {
    Scene done = Scene::build(places.spheres);
    edit(done);
    fail_each_call([&](Failing& memory, const auto& arm) {
      Scene scene = Scene::build(places.spheres, {.memory = &memory});
      arm();
      const bool failed = runs_out_of_memory([&] { edit(scene); });
      memory.disarm();
      check_right(scene, places.rays);
      CHECK(scene.size() == (failed ? places.spheres.size() : done.size()));
      CHECK(std::ranges::equal(scene.spheres().first(700),
                               failed ? std::span(places.spheres) : done.spheres().first(700)));
    });
  }
}

TEST_CASE("a buffer keeps its snapshot or changes, whatever the memory resource throws",
          "[scene][resource]") {
  Random random(test::seed());
  const Places places(random);
  const std::vector<std::int64_t> some{3, 7, 600};
  const std::vector<std::function<void(SceneBuffer&)>> changes{
      [&](SceneBuffer& b) { b.update(places.there, {}, {.rebuild = Rebuild::always}); },
      [&](SceneBuffer& b) { b.insert(std::span(places.spheres).first(300)); },
      [&](SceneBuffer& b) { b.erase(some); }};
  for (const auto& change : changes) {
    fail_each_call([&](Failing& memory, const auto& arm) {
      SceneBuffer buffer(places.spheres, {.memory = &memory});
      arm();
      const bool failed = runs_out_of_memory([&] { change(buffer); });
      memory.disarm();
      const std::shared_ptr<const Scene> now = buffer.current();
      check_right(*now, places.rays);
      if (failed) CHECK(std::ranges::equal(now->spheres(), places.spheres));
    });
  }
}

}  // namespace sphaera
