#include <cmath>
#include <scene/check_changes.hpp>
#include <string>

namespace sphaera::query {
namespace {

void check_count(std::size_t count, std::size_t needed, const char* what, const char* of, const char* give) {
  if (count == needed) return;
  base::throw_invalid_argument("there are " + std::to_string(count) + ' ' + what + " for " +
                               std::to_string(needed) + ' ' + of + "; " + give);
}

/// A horizon is needed where spheres have velocities. A scene without spheres has it if it is given.
void check_horizon(bool moving, std::size_t spheres, const Horizon& horizon) {
  if (moving && !is_given(horizon)) {
    base::throw_invalid_argument(
        "spheres have velocities, but there is no horizon; give the interval of time in which queries see "
        "them");
  }
  if (!moving && (spheres > 0 || !is_given(horizon))) return;
  if (!(horizon.from <= horizon.to) || !base::in_domain(horizon.from) || !base::in_domain(horizon.to))
    base::throw_invalid_argument("horizon is " + base::text_of(horizon.from, horizon.to) +
                                 "; give from ≤ to, each within 2^200 of 0");
}

}  // namespace

void check_optional(std::size_t count, std::size_t spheres, const char* what) {
  if (count > 0) check_count(count, spheres, what, "spheres", "give none or one for each sphere");
}

void check_count(std::size_t count, std::size_t needed, const char* what, const char* of) {
  check_count(count, needed, what, of, "give one for each");
}

void check_sizes(std::size_t spheres, const BuildOptions& options, std::size_t velocities) {
  if (spheres > max_spheres)
    base::throw_invalid_argument("there are " + std::to_string(spheres) +
                                 " spheres; a scene holds 2^32 − 2 at most");
  check_threads(options.threads);
  if (options.quality > BuildQuality::compact) {
    base::refuse_value("quality", options.quality, "BuildQuality::fast, balanced or compact");
  }
  check_optional(options.layers.size(), spheres, "layers");
  check_optional(options.owners.size(), spheres, "owners");
  check_optional(velocities, spheres, "velocities");
  check_horizon(velocities > 0, spheres, options.horizon);
}

void check_insert(const SceneState& state, std::size_t spheres, std::size_t ids, const InsertOptions& options,
                  std::size_t velocities) {
  check_count(ids, spheres, "items in the span of ids", "spheres");
  check_update(options.update);
  if (!options.layers.empty()) check_count(options.layers.size(), spheres, "layers", "spheres");
  if (!options.owners.empty()) check_count(options.owners.size(), spheres, "owners", "spheres");
  if (velocities == 0) return;
  check_count(velocities, spheres, "velocities", "spheres");
  if (!state.moves()) refuse_velocities();
}

void refuse_velocities() {
  base::throw_invalid_argument("velocities are given, but the scene was built without any; leave them out");
}

void refuse_motion(std::size_t sphere) {
  const auto element = static_cast<std::int64_t>(sphere);
  throw Error(ErrorCode::invalid_argument, base::numbered("sphere", element),
              "velocity is not finite or carries it beyond 2^200 within the horizon; give a smaller one or a "
              "shorter horizon",
              element);
}

void check_moves(const Scene& scene, std::size_t centers, std::size_t velocities) {
  const std::size_t spheres = scene.spheres().size();
  check_count(centers, spheres, "centers", "spheres", "give one for each sphere");
  if (velocities == 0) return;
  check_count(velocities, spheres, "velocities", "spheres", "give one for each sphere");
  if (!SceneAccess::state(scene).moves()) refuse_velocities();
}

void check_moves_of(std::size_t ids, std::size_t centers, std::size_t velocities) {
  check_count(centers, ids, "centers", "ids");
  if (velocities > 0) check_count(velocities, ids, "velocities", "ids");
}

void check_update(const UpdateOptions& options) {
  check_threads(options.threads);
  if (options.rebuild <= UpdateOptions::Rebuild::in_background) return;
  base::refuse_value("rebuild", options.rebuild, "Rebuild::when_degraded, never, always or in_background");
}

void check_time(const SceneState& state, const UpdateOptions& options) {
  const double time = options.at_time;
  if (time == 0 || (!state.moves() && base::is_finite(time))) return;
  if (state.moves() && state.horizon.from <= time && time <= state.horizon.to) return;
  base::refuse_value("at_time", time,
                     state.moves() ? "0 or a time within the horizon of the scene, " +
                                         base::text_of(state.horizon.from, state.horizon.to)
                                   : std::string("a finite one"));
}

void refuse_time(const UpdateOptions& options) {
  if (options.at_time == 0) return;
  base::throw_invalid_argument(
      "an update of all spheres makes its own moment time 0; leave `at_time` out, or list the spheres");
}

}  // namespace sphaera::query
