#include <base/validate.hpp>
#include <query/flight/check_flight.hpp>
#include <scene/check_changes.hpp>
#include <string>

namespace sphaera::query {
namespace {}  // namespace

void check_flight(const SceneState& state, const FlightOptions& flight, const QueryOptions& options) {
  if (!(flight.budget >= 0))
    base::throw_invalid_argument("the budget is negative or not a number; give 0 or more, or inf");
  if (!(flight.restitution >= 0 && flight.restitution <= 1))
    base::throw_invalid_argument("restitution must be from 0 to 1");
  if (!base::in_domain(flight.gravity))
    base::throw_invalid_argument("gravity is not finite; give three numbers of at most 2^200");
  if (!(flight.friction >= 0 && base::is_finite(flight.friction)))
    base::throw_invalid_argument("friction is negative or not finite; give 0 or more");
  if (flight.start_inside > StartInside::refuses) {
    base::throw_invalid_argument("start_inside is " + std::to_string(static_cast<int>(flight.start_inside)) +
                                 "; give StartInside::hits, leaves or refuses");
  }
  refuse_times(options, "bullets");
  if (flight.gravity != Vec3{}) refuse_embree(options, "bullets under gravity");
  if (!state.velocities.span().empty()) refuse_embree(options, "bullets among spheres that move");
  check_optional(flight.resistances.size(), state.spheres.size(), "resistances");
}

void check_resistance(const FlightOptions& flight, std::size_t sphere) {
  if (flight.resistances[sphere] >= 0) [[likely]]
    return;
  const auto element = static_cast<std::int64_t>(sphere);
  throw Error(ErrorCode::invalid_argument, base::numbered("sphere", element),
              "resistance is negative or not a number; give 0 or more, or inf", element);
}

void check_resistances(const FlightOptions& flight) {
  for (std::size_t i = 0; i < flight.resistances.size(); ++i) check_resistance(flight, i);
}

}  // namespace sphaera::query
