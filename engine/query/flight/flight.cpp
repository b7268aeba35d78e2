#include <query/flight/first_impact_walk.hpp>

namespace sphaera::query {
bool FlightQuery::meets_from_within(const exact::InMotion& pair) {
  const auto id = static_cast<std::uint32_t>(&pair.sphere() - spheres);
  if (passed.holds(id)) return false;
  if (passed.bounced) return exact::sign_slope(pair, pair.path.t_min, counts) < 0;
  return passed.start_inside != StartInside::leaves;
}

bool FlightQuery::earlier(const Candidate& a, const Candidate& b) {
  if (a.entry_high < b.entry_low) return true;
  if (b.entry_high < a.entry_low) return false;
  if (are_equal(spheres, velocities, a.sphere, b.sphere)) return passed.before_at_once(a, b);
  const exact::Plain plain;
  const int order =
      exact::compare_entries(pair(plain, a.sphere), a.contact, pair(plain, b.sphere), b.contact, counts);
  return order != 0 ? order < 0 : passed.before_at_once(a, b);
}

Candidate first_impact(const SceneState& state, const exact::Flight& flight, const PassedSpheres& passed,
                       const SphereFilter& sphere_filter, const QueryOptions& options, QueryStats& stats,
                       index::PreparedRay prepared) {
  if (sees_nothing(state, options) || !(flight.path.t_min <= flight.path.t_max)) return {};
  Candidate first;
  exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    using Arithmetic = decltype(arithmetic);
    FirstImpact walk(state, flight, flight.radius, visit_of<FirstImpact, index::PathWalk, Arithmetic>(),
                     passed, sphere_filter);
    walk.prepared = prepared;
    if (goes_as_ray(state, flight))
      walk_scene<Arithmetic, FirstImpact, index::PathWalk>(
          state, options, walk, &index::SceneIndex::nearest_first, &embree_index::EmbreeIndex::nearest_first);
    else
      walk_scene<Arithmetic, FirstImpact, index::FlightWalk>(
          state, options, walk, &index::SceneIndex::earliest_first, &embree_index::EmbreeIndex::thick);
    count(walk, stats);
    first = walk.first.candidate();
  });
  return first;
}

}  // namespace sphaera::query
