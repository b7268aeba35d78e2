/// Any bytes make a scene and queries: both indices answer every query as brute force does, to the last bit.

#include <cstdio>
#include <cstdlib>
#include <tests/answer_bytes.hpp>
#include <tests/fuzz/fuzz_case.hpp>

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
void compare(const fuzz::FuzzCase& fuzzed, const char* query, std::span<const Search> searches,
             const Ask& ask) {
  const Bytes expected = answer(ask, Search::brute_force);
  for (const Search search : searches) {
    if (answer(ask, search) == expected) continue;
    std::fprintf(stderr, "%s: %s answers otherwise than brute force\n", query,
                 search == Search::embree ? "the Embree index" : "the index");
    fuzz::print(fuzzed);
    std::abort();
  }
}

constexpr Search both[] = {Search::index, Search::embree};
constexpr std::span<const Search> index_alone{both, 1};

void compare_rays(const fuzz::FuzzCase& w, const Scene& scene) {
  compare(w, "blocked", both, [&](const QueryOptions& o) { return scene.blocked(w.rays, o); });
  compare(w, "blocked segments", both, [&](const QueryOptions& o) { return scene.blocked(w.segments, o); });
  compare(w, "first_hit", both, [&](const QueryOptions& o) { return scene.first_hit(w.rays, o); });
  compare(w, "first_hit of segments", both,
          [&](const QueryOptions& o) { return scene.first_hit(w.segments, o); });
  compare(w, "all_hits", both, [&](const QueryOptions& o) { return scene.all_hits(w.rays, o); });
  compare(w, "all_hits of segments", both,
          [&](const QueryOptions& o) { return scene.all_hits(w.segments, o); });
}

void compare_all(const fuzz::FuzzCase& w, const Scene& scene) {
  compare_rays(w, scene);
  compare(w, "nearest", both, [&](const QueryOptions& o) { return scene.nearest(w.points, 3, o); });
  compare(w, "neighbors_within", both,
          [&](const QueryOptions& o) { return scene.neighbors_within(w.balls, o); });
  compare(w, "count_within", both, [&](const QueryOptions& o) { return scene.count_within(w.balls, o); });
  compare(w, "within", both, [&](const QueryOptions& o) { return scene.within(w.balls, o); });
  compare(w, "starlight", index_alone,
          [&](const QueryOptions& o) { return scene.starlight(w.stars, w.observers, o); });
  FlightOptions straight = w.flight;
  straight.gravity = {};
  compare(w, "shoot", w.velocities.empty() ? std::span(both) : index_alone,
          [&](const QueryOptions& o) { return scene.all_impacts(w.bullets, straight, o); });
  compare(w, "shoot under gravity", index_alone,
          [&](const QueryOptions& o) { return scene.all_impacts(w.bullets, w.flight, o); });
  compare(w, "near_misses", index_alone,
          [&](const QueryOptions& o) { return scene.near_misses(w.bullets, w.max_distance, o); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const fuzz::FuzzCase fuzzed = fuzz::decode({bytes, size});
  Scene scene;
  try {
    BuildOptions options{
        .velocities = fuzzed.velocities, .horizon = fuzzed.horizon, .quality = fuzzed.quality};
    options.threads = 1;
    scene = Scene::build(fuzzed.spheres, options);
  } catch (const Error&) {
    return 0;  // a sphere leaves the domain
  }
  compare_all(fuzzed, scene);
  return 0;
}
