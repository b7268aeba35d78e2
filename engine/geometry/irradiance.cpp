#include <algorithm>
#include <cmath>
#include <exact/floating_point_environment.hpp>
#include <exact/strict_math.hpp>
#include <geometry/irradiance.hpp>
#include <geometry/length.hpp>
#include <geometry/power_of_two.hpp>
#include <geometry/validate.hpp>
#include <numbers>

namespace sphaera {
namespace geometry {
namespace {

/// To a length near 1: squares of neither huge nor tiny vectors leave the range.
Vec3 scaled(const Vec3& v) { return inverse_scale(v) * v; }

double lambert(const Vec3& normal, const Vec3& way) {
  const Vec3 n = scaled(normal), w = scaled(way);
  return std::clamp(dot(n, w) / std::sqrt(dot(n, n) * dot(w, w)), 0.0, 1.0);
}

}  // namespace

double irradiance_at(const Source& source, const Vec3& place, double flux) {
  const double distance = length(source.star.place - place);
  return source.luminosity / (4 * std::numbers::pi) / distance / distance * flux;
}

double irradiance_on(const Source& source, const Receiver& receiver, double flux) {
  const Vec3& place = receiver.observer.position;
  return irradiance_at(source, place, flux) * lambert(receiver.normal, source.star.place - place);
}

}  // namespace geometry

double normal_irradiance(const Source& source, const Vec3& place, double flux) {
  const exact::FloatingPointEnvironment mode;
  geometry::check(source);
  geometry::check(place);
  return mode.finished(geometry::irradiance_at(source, place, flux));
}

double irradiance(const Source& source, const Receiver& receiver, double flux) {
  const exact::FloatingPointEnvironment mode;
  geometry::check(receiver);
  geometry::check(source);
  return mode.finished(geometry::irradiance_on(source, receiver, flux));
}

}  // namespace sphaera
