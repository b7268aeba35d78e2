#include <ballistics/rebound.hpp>
#include <base/floating_point_environment.hpp>
#include <base/validate.hpp>
#include <exact/predicates/decide.hpp>
#include <sphaera/closed_form/ricochet.hpp>

namespace sphaera::inline SPHAERA_ABI {

std::optional<Ricochet> ricochet(const Shot& shot, const Sphere& sphere) {
  const base::FloatingPointEnvironment mode;
  base::check(shot);
  base::check(sphere);
  exact::Path path = exact::path_of(Segment{shot.from, shot.aim});
  // The path continues beyond `aim`. Its direction is exactly aim − from (direction + direction_low).
  path.t_max = infinity;
  exact::Counts counts;
  if (exact::sign_power(path, sphere, 0, counts) < 0) {
    throw Error(ErrorCode::invalid_argument, "shot",
                "`from` is inside the sphere; give a point on it or outside");
  }
  if (exact::contact(path, sphere, counts) != Contact::enters) return std::nullopt;
  const ballistics::Rebound bounce = ballistics::rebound(path, sphere, shot.speed);
  return Ricochet{bounce.surface.point, bounce.surface.normal, bounce.angle,
                  bounce.velocity,      bounce.distance,       bounce.distance / shot.speed};
}

}  // namespace sphaera::inline SPHAERA_ABI
