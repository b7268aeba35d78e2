/// \file What a progress callback throws reaches the caller as it was thrown, from every part of a build.

#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <sphaera/scene_buffer.hpp>
#include <tests/inputs/scenes.hpp>
#include <tools/workload/workload.hpp>

#include <tests/catch.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

/// Throws at its n-th call.
template <class Thrown>
struct ThrowsAt {
  std::shared_ptr<std::atomic<int>> left;
  Thrown thrown;

  ThrowsAt(int n, Thrown what) : left(std::make_shared<std::atomic<int>>(n)), thrown(what) {}
  void operator()(double) const {
    if (--*left == 0) throw thrown;
  }
};

/// Calls of the callback in a build.
template <class Build>
int calls_of(const Build& build) {
  std::atomic<int> calls{0};
  build([&](double) { ++calls; });
  return calls;
}

/// Whichever call throws, the same exception arrives.
template <class Build>
void check(const Build& build) {
  const int calls = calls_of(build);
  REQUIRE(calls > 2);
  for (int n = 1; n <= calls; ++n) {
    INFO("call " << n << " of " << calls);
    for (const ErrorCode code : {ErrorCode::internal, ErrorCode::out_of_memory, ErrorCode::cancelled}) {
      const auto r = test::refusal([&] { build(ThrowsAt(n, Error(code, "mine", 42))); });
      CHECK(r.code == code);
      CHECK(r.element == 42);
      CHECK(r.message == "mine");
    }
    CHECK_THROWS_AS(build(ThrowsAt(n, std::bad_alloc())), std::bad_alloc);
    CHECK_THROWS_AS(build(ThrowsAt(n, 17)), int);
  }
}

}  // namespace

TEST_CASE("what a progress callback throws reaches the caller of a build", "[query]") {
  const auto spheres = workload::spheres(workload::Kind::belt, 3000, test::seed());
  check([&](const std::function<void(double)>& progress) {
    (void)Scene::build(spheres, {.threads = 1, .progress = progress});
  });
  check([&](const std::function<void(double)>& progress) {
    SceneBuffer(spheres, {.threads = 1, .progress = progress});
  });
}

TEST_CASE("the Embree index knows the changes of an edit whose progress callback throws", "[query]") {
  Scene scene = Scene::build({{{0, 0, 0}, 1}, {{50, 0, 0}, 1}});
  const Ray ray{{20, 0, -5}, {0, 0, 1}};
  const QueryOptions by_embree{.search = Search::embree};
  CHECK(scene.first_hit(ray, by_embree).sphere == -1);
  const UpdateOptions failing{
      .rebuild = UpdateOptions::Rebuild::always, .threads = 1, .progress = [](double) { throw 7; }};
  CHECK_THROWS_AS(scene.update(std::vector<std::int64_t>{0}, std::vector<Vec3>{{20, 0, 0}}, {}, failing),
                  int);
  CHECK(scene.first_hit(ray).sphere == 0);
  CHECK(scene.first_hit(ray, by_embree).sphere == 0);
}

TEST_CASE("what a progress callback throws reaches the caller of an update, and the scene is fitted",
          "[query][update]") {
  auto spheres = workload::spheres(workload::Kind::belt, 3000, test::seed());
  Scene scene = Scene::build(spheres, {});
  std::vector<Vec3> centers;
  for (Sphere& s : spheres) {
    s.center = 2.0 * s.center;
    centers.push_back(s.center);
  }
  using Rebuild = UpdateOptions::Rebuild;
  check([&](const std::function<void(double)>& progress) {
    scene.update(centers, {}, {.rebuild = Rebuild::always, .threads = 1, .progress = progress});
  });
  const Scene fresh = Scene::build(spheres, {});
  const auto rays = workload::rays(workload::Kind::belt, 500, 3000, test::seed());
  CHECK(test::all_same(scene.first_hit(rays), fresh.first_hit(rays)));

  SceneBuffer buffer(spheres);
  const auto held = buffer.current();
  check([&](const std::function<void(double)>& progress) {
    buffer.update(centers, {}, {.rebuild = Rebuild::always, .threads = 1, .progress = progress});
  });
}

}  // namespace sphaera
