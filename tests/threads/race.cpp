/// \file Deliberate data races. ThreadSanitizer must report them, else its silence about the tests means
/// nothing.
/// Usage: sphaera_race counter|neighbor|fold|callback|scene|none

#include <tbb/global_control.h>

#include <array>
#include <atomic>
#include <base/arena.hpp>
#include <chrono>
#include <cstdio>
#include <sphaera/scene.hpp>
#include <string_view>
#include <thread>
#include <tools/workload/workload.hpp>

namespace {

using namespace sphaera;

constexpr int threads = 4;

/// Two threads wait for each other here, without an order between what they did before or do after it. The
/// later one goes on a little later: ThreadSanitizer may miss two accesses at the very same time.
class Rendezvous {
 public:
  void wait() {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    const bool later = arrived_.fetch_add(1, std::memory_order_relaxed) > 0;
    while (arrived_.load(std::memory_order_relaxed) < 2 && std::chrono::steady_clock::now() < patience)
      std::this_thread::yield();
    if (later) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  std::atomic<int> arrived_{0};
};

/// Pieces add to one number.
void race_counter() {
  Rendezvous rendezvous;
  int counter = 0;
  base::parallel_pieces(2, 1, [&](std::size_t, std::size_t) {
    rendezvous.wait();
    ++counter;
  });
}

/// A piece writes an element of the next one.
void race_neighbor() {
  Rendezvous rendezvous;
  std::array<int, 3> elements{};
  base::parallel_pieces(2, 1, [&](std::size_t begin, std::size_t end) {
    rendezvous.wait();
    for (std::size_t i = begin; i <= end; ++i) elements[i] = static_cast<int>(i);
  });
}

/// The pieces of a fold share a number.
void race_fold() {
  Rendezvous rendezvous;
  std::size_t most = 0;
  base::parallel_fold(
      std::size_t{1} << 15, 0,
      [&](std::size_t, std::size_t end, int start) {
        rendezvous.wait();
        if (end > most) most = end;
        return start;
      },
      std::plus<>());
}

/// A progress callback, which a build calls from any thread, counts its calls.
void race_callback() {
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::uniform, 200'000, 1);
  Rendezvous rendezvous;
  int calls = 0;
  const auto progress = [&](double) {
    rendezvous.wait();
    ++calls;
  };
  (void)Scene::build(spheres, {.threads = threads, .progress = progress});
}

/// A scene is asked while it is updated, which its contract forbids.
void race_scene() {
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::uniform, 1000, 1);
  Scene scene = Scene::build(spheres);
  std::vector<Vec3> centers;
  for (const Sphere& s : spheres) centers.push_back(s.center);
  const std::jthread asking([&] { (void)scene.nearest(Vec3{}); });
  scene.update(centers, {}, {.rebuild = UpdateOptions::Rebuild::never, .progress = {}});
}

/// No race: each piece writes only its own element, and the caller writes only after all pieces have ended.
void race_none() {
  Rendezvous rendezvous;
  std::array<int, 2> before{1, 2}, after{};
  base::parallel_pieces(2, 1, [&](std::size_t begin, std::size_t) {
    rendezvous.wait();
    after[begin] = before[0] + before[1];
  });
  before[0] = after[0] + after[1];
}

}  // namespace

int main(int argc, char** argv) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, threads);
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  struct Race {
    std::string_view name;
    void (*run)();
  };
  for (const Race& race :
       {Race{"counter", race_counter}, Race{"neighbor", race_neighbor}, Race{"fold", race_fold},
        Race{"callback", race_callback}, Race{"scene", race_scene}, Race{"none", race_none}}) {
    if (race.name != wanted) continue;
    base::in_arena(threads, race.run);
    return 0;
  }
  std::fprintf(stderr, "usage: sphaera_race counter|neighbor|fold|callback|scene|none\n");
  return 2;
}
