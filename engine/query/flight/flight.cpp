#include <query/flight/flight.hpp>

namespace sphaera::query {

bool FlightPath::hits_from_within(const exact::InMotion& pair, std::uint32_t id,
                                  exact::Counts& counts) const {
  if (passed_.holds(id)) return false;
  if (passed_.bounced) return exact::sign_slope(pair, pair.path.t_min, counts) < 0;
  return passed_.start_inside != StartInside::leaves;
}

int FlightPath::compare_entries(const Candidate& a, const Candidate& b, exact::Counts& counts) const {
  if (are_equal(spheres_, velocities_, a.sphere, b.sphere)) return 0;
  const exact::Plain plain;
  return exact::compare_entries(pair(plain, a.sphere), a.contact, pair(plain, b.sphere), b.contact, counts);
}

Candidate first_impact(const SceneState& state, const exact::Flight& flight, const PassedSpheres& passed,
                       const SphereFilter& sphere_filter, const QueryOptions& options, QueryStats& stats,
                       index::PreparedRay prepared) {
  FirstImpact walk({state, flight, passed}, callbacks_of<FirstImpact>(), sphere_filter);
  walk.prepared = prepared;
  if (goes_as_ray(state, flight))
    find<FirstImpact::order, index::PathWalk>(state, options, walk);
  else
    find<FirstImpact::order, index::FlightWalk>(state, options, walk);
  count(walk, stats);
  return walk.first;
}

}  // namespace sphaera::query
