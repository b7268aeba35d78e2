#include <base/validate.hpp>
#include <query/flight/check_flight.hpp>
#include <scene/check_changes.hpp>
#include <string>

namespace sphaera::query {

void check_flight(const SceneState& state, std::size_t bullets, const FlightOptions& flight,
                  const QueryOptions& options) {
  if (!(flight.budget >= 0)) base::refuse_value("budget", flight.budget, "0 or more, or inf");
  if (!(flight.restitution >= 0 && flight.restitution <= 1))
    base::refuse_value("restitution", flight.restitution, "0 to 1");
  if (!base::in_domain(flight.gravity))
    base::throw_invalid_argument(base::outside("gravity.", flight.gravity));
  if (!(flight.friction >= 0 && base::is_finite(flight.friction)))
    base::refuse_value("friction", flight.friction, "a finite number, 0 or more");
  if (flight.start_inside > StartInside::refuses) {
    base::refuse_value("start_inside", flight.start_inside, "StartInside::hits, leaves or refuses");
  }
  refuse_times(options, "bullets");
  if (flight.gravity != Vec3{}) refuse_embree(options, "bullets under gravity");
  if (!state.velocities.span().empty()) refuse_embree(options, "bullets among spheres that move");
  check_optional(flight.resistances.size(), state.spheres.size(), "resistances");
  if (!flight.ends.empty()) check_count(flight.ends.size(), bullets, "ends", "bullets");
}

void check_resistance(const FlightOptions& flight, std::size_t sphere) {
  if (flight.resistances[sphere] >= 0) [[likely]]
    return;
  const auto element = static_cast<std::int64_t>(sphere);
  throw Error(ErrorCode::invalid_argument, base::numbered("sphere", element),
              "resistance is " + base::text_of(flight.resistances[sphere]) + "; give 0 or more, or inf",
              element);
}

void check_resistances(const FlightOptions& flight) {
  for (std::size_t i = 0; i < flight.resistances.size(); ++i) check_resistance(flight, i);
}

}  // namespace sphaera::query
