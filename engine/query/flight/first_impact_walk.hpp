#pragma once
/// \file The walk that finds the first candidate of a flight.

#include <query/batch/first_candidate.hpp>
#include <query/flight/flight.hpp>

namespace sphaera::query {

struct FirstImpact : FlightQuery {
  Earliest first;

  using FlightQuery::FlightQuery;
  using Member = exact::Flight;  ///< of a WalkGroup
  FirstImpact(const exact::Flight& f, Visit v, const SceneState& state, const QueryOptions& options,
              std::size_t i, const PassedSpheres& p)
      : FlightQuery(state, f, f.radius, v, p, {state, options, i}) {}

  /// Of equal spheres the one with the lowest id is hit, unless the bullet passes through it or has touched
  /// it, or `accept` refuses it.
  SPHAERA_INLINE bool settles_equals(std::uint32_t id) const {
    return !accept && admits(id) && passed.is_fresh(id);
  }

  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test(FirstImpact& q, std::uint32_t id) {
    return q.first.test<Arithmetic>(q, id);
  }
  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test_entered(FirstImpact& q, std::uint32_t id, double low,
                                                             double high) {
    return q.first.test_entered<Arithmetic>(q, id, low, high);
  }
};

}  // namespace sphaera::query
