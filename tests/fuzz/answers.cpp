/// Any bytes make a scene and queries: the index answers every verb as brute force does, to the last bit.

#include <bytes.hpp>
#include <cstdio>
#include <cstdlib>
#include <fuzz/world.hpp>

using namespace sphaera;
using test::Bytes;

namespace {

/// The answer, or the code and the element of the refusal.
template <class Ask>
Bytes answer(const Ask& ask, Search search) {
  Bytes out;
  try {
    out.put(ask(QueryOptions{.search = search, .threads = 1, .stop = {}}));
  } catch (const Error& error) {
    out.put(error.code());
    out.put(error.element());
  }
  return out;
}

template <class Ask>
void compare(const fuzz::World& world, const char* verb, const Ask& ask) {
  if (answer(ask, Search::index) == answer(ask, Search::brute_force)) return;
  std::fprintf(stderr, "%s: the index answers otherwise than brute force\n", verb);
  fuzz::print(world);
  std::abort();
}

void compare_all(const fuzz::World& w, const Scene& scene) {
  compare(w, "blocked", [&](const QueryOptions& o) { return scene.blocked(w.rays, o); });
  compare(w, "blocked segments", [&](const QueryOptions& o) { return scene.blocked(w.segments, o); });
  compare(w, "first_hit", [&](const QueryOptions& o) { return scene.first_hit(w.rays, o); });
  compare(w, "first_hit of segments", [&](const QueryOptions& o) { return scene.first_hit(w.segments, o); });
  compare(w, "all_hits", [&](const QueryOptions& o) { return scene.all_hits(w.rays, o); });
  compare(w, "all_hits of segments", [&](const QueryOptions& o) { return scene.all_hits(w.segments, o); });
  compare(w, "nearest", [&](const QueryOptions& o) { return scene.nearest(w.points, 3, o); });
  compare(w, "within", [&](const QueryOptions& o) { return scene.within(w.balls, o); });
  compare(w, "starlight", [&](const QueryOptions& o) { return scene.starlight(w.stars, w.observers, o); });
  FlightOptions straight = w.flight;
  straight.gravity = {};
  compare(w, "shoot", [&](const QueryOptions& o) { return scene.all_impacts(w.bullets, straight, o); });
  compare(w, "shoot under gravity",
          [&](const QueryOptions& o) { return scene.all_impacts(w.bullets, w.flight, o); });
  compare(w, "near_misses", [&](const QueryOptions& o) { return scene.near_misses(w.bullets, w.reach, o); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const fuzz::World world = fuzz::world_of({bytes, size});
  Scene scene;
  try {
    BuildOptions options{.velocities = world.velocities, .horizon = world.horizon, .quality = world.quality};
    options.threads = 1;
    scene = Scene::build(world.spheres, options);
  } catch (const Error&) {
    return 0;  // a sphere leaves the domain
  }
  compare_all(world, scene);
  return 0;
}
