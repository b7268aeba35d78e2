#include <algorithm>
#include <cmath>
#include <geometry/power_of_two.hpp>
#include <geometry/validate.hpp>
#include <numbers>
#include <sphaera/irradiance.hpp>

namespace sphaera {
namespace {

/// To a length near 1: squares of neither huge nor tiny vectors leave the range.
Vec3 scaled(const Vec3& v) { return geometry::inverse_scale(v) * v; }

double lambert(const Vec3& normal, const Vec3& way) {
  const Vec3 n = scaled(normal), w = scaled(way);
  return std::clamp(dot(n, w) / std::sqrt(dot(n, n) * dot(w, w)), 0.0, 1.0);
}

}  // namespace

double normal_irradiance(const Source& source, const Vec3& place, double flux) {
  geometry::check(source);
  geometry::check(place);
  const Vec3 way = source.star.place - place;
  const double distance = std::hypot(way.x, way.y, way.z);
  return source.luminosity / (4 * std::numbers::pi) / distance / distance * flux;
}

double irradiance(const Source& source, const Receiver& receiver, double flux) {
  geometry::check(receiver);
  const Vec3& place = receiver.observer.position;
  return normal_irradiance(source, place, flux) * lambert(receiver.normal, source.star.place - place);
}

}  // namespace sphaera
