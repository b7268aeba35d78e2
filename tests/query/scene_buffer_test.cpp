/// \file A scene that is asked while its spheres move: whole states, two of them in memory.

#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <query/support.hpp>
#include <sphaera/scene_buffer.hpp>
#include <thread>
#include <vector>
#include <workload/workload.hpp>

#include "catch.hpp"
#include "seed.hpp"

namespace sphaera {
namespace {

std::vector<Vec3> centers_of(std::span<const Sphere> spheres) {
  std::vector<Vec3> centers;
  for (const Sphere& s : spheres) centers.push_back(s.center);
  return centers;
}

}  // namespace

TEST_CASE("readers of a buffer see whole states while it is updated", "[query][buffer]") {
  // In state k all spheres stand k·1024 up: an answer tells the state that it is of.
  constexpr int states = 30;
  const std::vector<Sphere> start = workload::spheres(workload::Kind::crowd, 3000, test::seed());
  SceneBuffer buffer(start);
  std::atomic<bool> done{false};
  std::atomic<int> torn{0}, backwards{0}, looks{0};
  const auto read = [&] {
    double last = 0;
    while (!done || looks < 10) {
      const std::shared_ptr<const Scene> scene = buffer.current();
      const double up = 1024 * std::round((scene->spheres()[0].center.z - start[0].center.z) / 1024);
      for (std::size_t i = 0; i < start.size(); i += 97) {
        const Neighbor found = scene->nearest(start[i].center + Vec3{0, 0, up});
        torn += found.sphere < 0 || found.distance > 0;
        torn += scene->spheres()[i].center.z != start[i].center.z + up;
      }
      backwards += up < last;
      last = up;
      ++looks;
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

TEST_CASE("a buffer uses the memory of the state before last when nobody reads it, and survives bad moves",
          "[query][buffer]") {
  const std::vector<Sphere> start = workload::spheres(workload::Kind::crowd, 1000, test::seed());
  std::vector<Vec3> centers = centers_of(start);
  std::shared_ptr<const Scene> last;
  {
    SceneBuffer buffer(start);
    const Scene* const first = buffer.current().get();
    CHECK(buffer.update(centers).rebuilt);
    const Scene* const second = buffer.current().get();
    CHECK(!buffer.update(centers).rebuilt);
    CHECK(buffer.current().get() == first);
    CHECK(!buffer.update(centers).rebuilt);
    CHECK(buffer.current().get() == second);

    const std::shared_ptr<const Scene> held = buffer.current();
    buffer.update(centers);
    CHECK(buffer.update(centers).rebuilt);  // the spare is held
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

}  // namespace sphaera
