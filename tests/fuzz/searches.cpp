#include <tests/answer_bytes.hpp>
#include <tests/fuzz/checks.hpp>

namespace sphaera::fuzz {
namespace {

using test::Bytes;

/// Calls of n queries about something.
class Calls {
 public:
  Calls(const FuzzCase& fuzzed, About about, std::size_t n) : fuzzed_(fuzzed), about_(about), n_(n) {}

  template <class Ask>
  void compare(const char* query, const Ask& ask) const {
    const Bytes expected = answer(ask, Search::brute_force);
    if (answer(ask, Search::index) != expected) fail(fuzzed_, query, "the index answers otherwise");
    if (can_use_embree_ && answer(ask, Search::embree) != expected)
      fail(fuzzed_, query, "the Embree index answers otherwise");
  }
  Calls& without_embree() {
    can_use_embree_ = false;
    return *this;
  }

 private:
  /// The answer with the statuses of its rows, or the code and the element of the refusal.
  template <class Ask>
  Bytes answer(const Ask& ask, Search search) const {
    Bytes out;
    QueryOptions options = options_of(fuzzed_, about_, n_, search);
    std::vector<RowStatus> rows(fuzzed_.restriction.skip ? n_ : 0);
    options.statuses = rows;
    try {
      out.put(ask(options));
      out.put(rows);
    } catch (const Error& error) {
      out.put(error.code());
      out.put(error.element());
    }
    return out;
  }

  const FuzzCase& fuzzed_;
  About about_;
  std::size_t n_;
  bool can_use_embree_ = true;
};

template <class Path>
void compare_paths(const Calls& calls, const Scene& scene, const std::vector<Path>& paths) {
  calls.compare("blocked", [&](const QueryOptions& o) { return scene.blocked(paths, o); });
  calls.compare("first_hit", [&](const QueryOptions& o) { return scene.first_hit(paths, o); });
  calls.compare("first_surface_hit",
                [&](const QueryOptions& o) { return scene.first_surface_hit(paths, o); });
  calls.compare("all_hits", [&](const QueryOptions& o) { return scene.all_hits(paths, o); });
}

/// The Embree index answers for scenes at rest alone. A scene without spheres moves if it has a horizon.
bool moves(const FuzzCase& w) { return !w.velocities.empty() || w.spheres.empty(); }

void compare_places(const FuzzCase& w, const Scene& scene) {
  Calls calls(w, About::places, w.rays.size());
  if (moves(w) && !w.restriction.times.empty()) calls.without_embree();
  compare_paths(calls, scene, w.rays);
  compare_paths(calls, scene, w.segments);
  calls.compare("nearest", [&](const QueryOptions& o) { return scene.nearest(w.points, 3, o); });
  calls.compare("neighbors_within",
                [&](const QueryOptions& o) { return scene.neighbors_within(w.balls, o); });
  calls.compare("count_within", [&](const QueryOptions& o) { return scene.count_within(w.balls, o); });
  calls.compare("within", [&](const QueryOptions& o) { return scene.within(w.balls, o); });
  const Calls own(w, About::spheres, w.spheres.size());
  own.compare("nearest_to_spheres", [&](const QueryOptions& o) { return scene.nearest_to_spheres(2, o); });
}

void compare_flights(const FuzzCase& w, const Scene& scene) {
  Calls calls(w, About::flights, w.bullets.size());
  if (moves(w)) calls.without_embree();
  const FlightOptions curved = flight_of(w);
  FlightOptions straight = curved;
  straight.gravity = {}, straight.gravities = {};
  calls.compare("first_impact",
                [&](const QueryOptions& o) { return scene.first_impact(w.bullets, straight, o); });
  calls.compare("all_impacts",
                [&](const QueryOptions& o) { return scene.all_impacts(w.bullets, straight, o); });
  calls.without_embree();
  calls.compare("first_impact under gravity",
                [&](const QueryOptions& o) { return scene.first_impact(w.bullets, curved, o); });
  calls.compare("all_impacts under gravity",
                [&](const QueryOptions& o) { return scene.all_impacts(w.bullets, curved, o); });
  calls.compare("ends of flights", [&](const QueryOptions& o) {
    std::vector<FlightEnd> ends(w.bullets.size());
    FlightOptions flight = curved;
    flight.ends = ends;
    (void)scene.all_impacts(w.bullets, flight, o);
    return ends;
  });
  calls.compare("near_misses",
                [&](const QueryOptions& o) { return scene.near_misses(w.bullets, w.max_distance, o); });
}

void compare_light(const FuzzCase& w, const Scene& scene) {
  const Calls calls = Calls(w, About::light, w.observers.size()).without_embree();
  calls.compare("starlight", [&](const QueryOptions& o) { return scene.starlight(w.stars, w.observers, o); });
  calls.compare("irradiance",
                [&](const QueryOptions& o) { return scene.irradiance(w.sources, w.receivers, o); });
}

}  // namespace

void compare_searches(const FuzzCase& fuzzed, const Scene& scene) {
  compare_places(fuzzed, scene);
  compare_flights(fuzzed, scene);
  compare_light(fuzzed, scene);
}

}  // namespace sphaera::fuzz
