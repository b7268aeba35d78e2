#include <algorithm>
#include <base/floating_point_environment.hpp>
#include <base/strict_math.hpp>
#include <base/validate.hpp>
#include <cmath>
#include <exact/numbers/power_of_two.hpp>
#include <numbers>
#include <star_light/irradiance.hpp>

namespace sphaera::star_light {
namespace {

/// Scales a vector to a length near 1, so that squares of huge or tiny vectors stay in range.
Vec3 scaled(const Vec3& v) { return exact::inverse_scale(v) * v; }

/// With θ the angle: the rounded direction to the source turns it by u sin θ, n·s is off by 3u|n||s|, and the
/// squares, their product, root and quotient by 5.5u cos θ: less than 8.6u < 1e-15 together.
double lambert(const Vec3& normal, const Vec3& to_source) {
  const Vec3 n = scaled(normal), s = scaled(to_source);
  return std::clamp(dot(n, s) / std::sqrt(dot(n, n) * dot(s, s)), 0.0, 1.0);
}

}  // namespace

/// luminosity · flux / (4π|v|²). The significands alone are multiplied and divided, so that nothing overflows
/// or underflows on the way. Errors: 2u of |v|² for the difference of places, 3u for its sum of squares, 0.4u
/// for π, and u each for two products and a quotient: 8.4u < 9u. `ldexp` rounds a denormal result.
double normal_irradiance(const Source& source, const Vec3& position, double flux) {
  const Vec3 away = source.star.center - position;
  const double scale = exact::inverse_scale(away);
  const Vec3 v = scale * away;
  int of_luminosity = 0, of_flux = 0;
  const double watts = std::frexp(source.luminosity, &of_luminosity), part = std::frexp(flux, &of_flux);
  return std::ldexp(watts * part / (4 * std::numbers::pi * dot(v, v)),
                    of_luminosity + of_flux + 2 * std::ilogb(scale));
}

double receiver_irradiance(const Source& source, const Receiver& receiver, double flux) {
  const Vec3& position = receiver.observer.position;
  return star_light::normal_irradiance(source, position, flux) *
         lambert(receiver.normal, source.star.center - position);
}

}  // namespace sphaera::star_light

namespace sphaera::inline SPHAERA_ABI {

double normal_irradiance(const Source& source, const Vec3& position, double flux) {
  const base::FloatingPointEnvironment mode;
  base::check(source);
  base::check(position);
  return mode.finished(star_light::normal_irradiance(source, position, flux));
}

double irradiance(const Source& source, const Receiver& receiver, double flux) {
  const base::FloatingPointEnvironment mode;
  base::check(receiver);
  base::check(source);
  return mode.finished(star_light::receiver_irradiance(source, receiver, flux));
}

}  // namespace sphaera::inline SPHAERA_ABI
