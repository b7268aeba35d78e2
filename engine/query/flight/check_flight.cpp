#include <base/validate.hpp>
#include <query/flight/check_flight.hpp>
#include <scene/check_changes.hpp>
#include <string>

namespace sphaera::query {

namespace {

bool valid_resistance(double x) { return x >= 0; }
bool valid_restitution(double x) { return x >= 0 && x <= 1; }
bool valid_friction(double x) { return x >= 0 && base::is_finite(x); }
constexpr const char *resistances = "0 or more, or inf", *restitutions = "0 to 1",
                     *frictions = "a finite number, 0 or more";

void check_gravities(const FlightOptions& flight) {
  for (std::size_t i = 0; i < flight.gravities.size(); ++i) {
    if (base::in_domain(flight.gravities[i])) [[likely]]
      continue;
    const auto element = static_cast<std::int64_t>(i);
    throw Error(ErrorCode::invalid_argument, base::numbered("bullet", element),
                base::outside("gravity.", flight.gravities[i]), element);
  }
}

/// Refuses an item of a span that is indexed by id. An empty span is valid.
template <class Valid>
void check_item(std::span<const double> items, std::size_t sphere, const Valid& valid, const char* name,
                const char* wanted) {
  if (items.empty() || valid(items[sphere])) [[likely]]
    return;
  const auto element = static_cast<std::int64_t>(sphere);
  throw Error(ErrorCode::invalid_argument, base::numbered("sphere", element),
              std::string(name) + " is " + base::text_of(items[sphere]) + "; give " + wanted, element);
}

}  // namespace

void check_flight(const SceneState& state, std::size_t bullets, const FlightOptions& flight,
                  const QueryOptions& options) {
  if (!valid_resistance(flight.budget)) base::refuse_value("budget", flight.budget, resistances);
  if (!valid_restitution(flight.restitution))
    base::refuse_value("restitution", flight.restitution, restitutions);
  if (!base::in_domain(flight.gravity))
    base::throw_invalid_argument(base::outside("gravity.", flight.gravity));
  if (!valid_friction(flight.friction)) base::refuse_value("friction", flight.friction, frictions);
  if (flight.start_inside > StartInside::refuses) {
    base::refuse_value("start_inside", flight.start_inside, "StartInside::hits, leaves or refuses");
  }
  refuse_times(options, "bullets");
  if (flight.gravity != Vec3{} || !flight.gravities.empty()) refuse_embree(options, "bullets under gravity");
  if (!state.velocities.span().empty()) refuse_embree(options, "bullets among spheres that move");
  check_optional(flight.resistances.size(), state.spheres.size(), "resistances");
  check_optional(flight.restitutions.size(), state.spheres.size(), "restitutions");
  check_optional(flight.frictions.size(), state.spheres.size(), "frictions");
  if (!flight.ends.empty()) check_count(flight.ends.size(), bullets, "ends", "bullets");
  if (!flight.gravities.empty()) check_count(flight.gravities.size(), bullets, "gravities", "bullets");
  check_gravities(flight);
}

void check_material(const FlightOptions& flight, std::size_t sphere) {
  check_item(flight.resistances, sphere, valid_resistance, "resistance", resistances);
  check_item(flight.restitutions, sphere, valid_restitution, "restitution", restitutions);
  check_item(flight.frictions, sphere, valid_friction, "friction", frictions);
}

void check_materials(const FlightOptions& flight) {
  const std::size_t spheres =
      std::max({flight.resistances.size(), flight.restitutions.size(), flight.frictions.size()});
  for (std::size_t i = 0; i < spheres; ++i) check_material(flight, i);
}

}  // namespace sphaera::query
