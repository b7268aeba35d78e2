#include <algorithm>
#include <base/floating_point_environment.hpp>
#include <base/strict_math.hpp>
#include <base/validate.hpp>
#include <cmath>
#include <exact/numbers/length.hpp>
#include <exact/numbers/power_of_two.hpp>
#include <numbers>
#include <starlight/irradiance.hpp>

namespace sphaera {
namespace star_light {
namespace {

/// Scales a vector to a length near 1, so that squares of huge or tiny vectors stay in range.
Vec3 scaled(const Vec3& v) { return exact::inverse_scale(v) * v; }

double lambert(const Vec3& normal, const Vec3& to_source) {
  const Vec3 n = scaled(normal), s = scaled(to_source);
  return std::clamp(dot(n, s) / std::sqrt(dot(n, n) * dot(s, s)), 0.0, 1.0);
}

}  // namespace

double normal_irradiance(const Source& source, const Vec3& position, double flux) {
  const double distance = exact::length(source.star.center - position);
  return source.luminosity / (4 * std::numbers::pi) / distance / distance * flux;
}

double receiver_irradiance(const Source& source, const Receiver& receiver, double flux) {
  const Vec3& position = receiver.observer.position;
  return star_light::normal_irradiance(source, position, flux) *
         lambert(receiver.normal, source.star.center - position);
}

}  // namespace star_light

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

}  // namespace sphaera
