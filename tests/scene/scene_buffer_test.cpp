/// \file A scene that is queried while it changes: readers see whole states, and no more states are in memory
/// than needed.

#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <set>
#include <sphaera/scene_buffer.hpp>
#include <tests/effort.hpp>
#include <thread>
#include <tools/workload/workload.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/refusal.hpp>
#include <tests/seed.hpp>

namespace sphaera {

using test::centers_of;

TEST_CASE("readers of a buffer see whole states while it is updated", "[scene][buffer]") {
  // In state k all spheres stand k·1024 higher: an answer shows from which state it comes.
  constexpr int states = 30;
  const std::vector<Sphere> start = workload::spheres(workload::Kind::crowd, 3000, test::seed());
  SceneBuffer buffer(start);
  std::atomic<bool> done{false};
  std::atomic<int> torn{0}, backwards{0}, reads{0};
  const auto read = [&] {
    double last = 0;
    while (!done || reads < 10) {
      const std::shared_ptr<const Scene> scene = buffer.current();
      const double up = 1024 * std::round((scene->spheres()[0].center.z - start[0].center.z) / 1024);
      for (std::size_t i = 0; i < start.size(); i += 97) {
        const Neighbor found = scene->nearest(start[i].center + Vec3{0, 0, up});
        torn += found.sphere < 0 || found.distance > 0;
        torn += scene->spheres()[i].center.z != start[i].center.z + up;
      }
      backwards += up < last;
      last = up;
      ++reads;
    }
  };
  std::array<std::jthread, 3> readers;
  for (std::jthread& reader : readers) reader = std::jthread(read);
  const std::shared_ptr<const Scene> first = buffer.current();
  std::vector<Vec3> centers = centers_of(start);
  for (int k = 1; k <= states; ++k) {
    for (std::size_t i = 0; i < centers.size(); ++i) centers[i] = start[i].center + Vec3{0, 0, 1024.0 * k};
    buffer.update(centers);
  }
  done = true;
  for (std::jthread& reader : readers) reader.join();
  CHECK(torn == 0);
  CHECK(backwards == 0);
  CHECK(first->spheres()[5].center == start[5].center);
  CHECK(buffer.current()->spheres()[5].center == centers[5]);
}

TEST_CASE("readers of a buffer see whole states while its spheres come, go and change", "[scene][buffer]") {
  // In state k there are 500 + k % 7 people, and the first has the radius k + 1.
  const std::vector<Sphere> start = workload::spheres(workload::Kind::crowd, 507, test::seed());
  const int states = test::sanitized() ? 60 : 600;
  const std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 8, 500, test::seed());
  SceneBuffer buffer(start, {}, {.keep = 3});
  std::atomic<bool> done{false};
  std::atomic<int> torn{0}, reads{0};
  const auto number = [](const Scene& scene) { return static_cast<int>(scene.spheres()[0].radius) - 1; };
  const auto read = [&] {
    while (!done || reads < 10) {
      const std::shared_ptr<const Scene> scene = buffer.current();
      const int k = number(*scene);
      torn += scene->size() != 500 + static_cast<std::size_t>(k % 7);
      torn += scene->blocked(rays) != scene->blocked(rays, {.search = Search::brute_force});
      for (std::size_t i = 0; i < 500; i += 99) torn += scene->nearest(start[i].center).sphere < 0;
      if (const std::shared_ptr<const Scene> before = buffer.past(3)) torn += number(*before) < k - 3;
      torn += buffer.snapshots() == 0;
      ++reads;
    }
  };
  const std::vector<std::int64_t> marker{0}, some{1, 2, 3};
  const auto be = [&](Scene& scene, int k) {
    scene.set_radii(marker, std::vector<double>{k + 1.0});
    const std::vector<std::int64_t> late{500, 501, 502, 503, 504, 505, 506};
    for (const std::int64_t id : late)
      if (scene.contains(id)) scene.erase({&id, 1});
    scene.insert(std::span(start).subspan(500, static_cast<std::size_t>(k % 7)));
  };
  buffer.change([&](Scene& scene) { be(scene, 0); });
  std::array<std::jthread, 3> readers;
  for (std::jthread& reader : readers) reader = std::jthread(read);
  std::vector<Vec3> centers = centers_of(start);
  for (int k = 1; k <= states; ++k) {
    buffer.change([&](Scene& scene) { be(scene, k); });
    if (k % 3 == 0) buffer.update(some, std::span(centers).first(3));
    if (k % 5 == 0) buffer.set_enabled(some, k % 2 == 0);
    if (k % 7 == 0) buffer.set_layers(some, std::vector<std::uint8_t>(3, 1));
    if (k % 11 == 0) buffer.update(centers_of(buffer.current()->spheres()));
    if (k % 50 == 0) {
      Scene scene = Scene::build(start, {});
      be(scene, k);
      buffer.adopt(std::move(scene));
    }
  }
  done = true;
  for (std::jthread& reader : readers) reader.join();
  CHECK(torn == 0);
  CHECK(number(*buffer.current()) == states);
}

TEST_CASE("a buffer uses the memory of the state before last when nobody reads it, and survives bad moves",
          "[scene][buffer]") {
  const std::vector<Sphere> start = workload::spheres(workload::Kind::crowd, 1000, test::seed());
  std::vector<Vec3> centers = centers_of(start);
  std::shared_ptr<const Scene> last;
  {
    SceneBuffer buffer(start);
    const Scene* const first = buffer.current().get();
    CHECK(!buffer.update(centers).rebuilt);
    const Scene* const second = buffer.current().get();
    CHECK(!buffer.update(centers).rebuilt);
    CHECK(buffer.current().get() == first);
    CHECK(!buffer.update(centers).rebuilt);
    CHECK(buffer.current().get() == second);

    const std::shared_ptr<const Scene> held = buffer.current();
    buffer.update(centers);
    CHECK(!buffer.update(centers).rebuilt);  // the spare is held: the current one is copied
    CHECK(buffer.current().get() != first);
    CHECK(held.get() == second);

    centers[3].x = infinity;
    const Scene* const now = buffer.current().get();
    CHECK(test::refusal([&] { buffer.update(centers); }).element == 3);
    CHECK(buffer.current().get() == now);
    centers[3].x = 0;
    CHECK(!buffer.update(centers).rebuilt);  // the spare is still there
    last = buffer.current();
  }
  CHECK(last->spheres()[3].center.x == 0);
}

TEST_CASE("a buffer takes no more memory once it keeps as many snapshots as it should", "[scene][buffer]") {
  const std::size_t people = test::sanitized() ? 100 : 3000;
  const std::vector<Sphere> start = workload::spheres(workload::Kind::crowd, people, test::seed());
  const std::vector<std::int64_t> some{4, 5, 6};
  std::vector<Vec3> centers = centers_of(start);
  for (const std::size_t keep : {0, 5}) {
    SceneBuffer buffer(start, {}, {.keep = keep});
    std::set<const Sphere*> places;
    for (int k = 0; k < 60; ++k) {
      buffer.erase(some), buffer.insert(std::span(start).subspan(4, 3));
      centers[9].x += 0.1;
      buffer.update(centers, {}, {.rebuild = UpdateOptions::Rebuild::always});
      places.insert(buffer.current()->spheres().data());
    }
    CHECK(places.size() == keep + 2);
    CHECK(buffer.snapshots() == keep + 1);
  }
}

}  // namespace sphaera
