#pragma once
/// \file Checks of the options of flights.

#include <query/flight/flight.hpp>

namespace sphaera::query {

/// Checks all options except the values of spheres, and that the search can answer such flights. Throws Error
/// invalid_argument.
void check_flight(const SceneState& state, std::size_t bullets, const FlightOptions& flight,
                  const QueryOptions& options);
/// Throws Error invalid_argument if the sphere's resistance or material is out of range.
void check_material(const FlightOptions& flight, std::size_t sphere);
void check_materials(const FlightOptions& flight);

/// A function that gives the path of a bullet in the scene, by which a batch is sorted.
inline auto path_in(const SceneState& state) {
  return [&](const Bullet& bullet) SPHAERA_INLINE_LAMBDA { return flight_of(state, bullet).path; };
}

}  // namespace sphaera::query
