#include <base/floating_point_environment.hpp>
#include <base/validate.hpp>
#include <exact/predicates/decide.hpp>
#include <exact/roots/line.hpp>
#include <exact/roots/roots.hpp>
#include <sphaera/closed_form/closest_point.hpp>
#include <utility>

namespace sphaera::inline SPHAERA_ABI {
namespace {

using exact::Exact;
using exact::known;
using exact::Path;
using exact::Quick;
using exact::real;

/// Numerator |L × D|² and denominator |D|² of the squared distance from the place to the line. L is the
/// origin relative to the place, D the direction.
template <class Number>
auto line_distance_terms(const exact::Terms<Number>& seen) {
  const auto moment = cross(seen.l, seen.d);
  return std::pair{dot(moment.v, moment.v), dot(seen.d, seen.d)};
}

double squared_distance_of_line(const exact::Relative& seen) {
  const auto [square, a] = line_distance_terms(exact::Terms<Quick>(seen));
  const bool good = known(square) && known(a) && exact::moderate(a.value().hi);
  if (good) return static_cast<double>(real(square) / real(a));
  const auto [exact_square, exact_a] = line_distance_terms(exact::Terms<Exact>(seen));
  return static_cast<double>(real(exact_square) / real(exact_a));
}

double squared_distance(const Vec3& a, const Vec3& b) {
  const exact::Relative seen = exact::relative(exact::path_at(a), {b, 0});
  const Quick square = power_at_origin(exact::Terms<Quick>(seen));
  if (known(square)) return static_cast<double>(real(square));
  return static_cast<double>(real(power_at_origin(exact::Terms<Exact>(seen))));
}

}  // namespace

ClosestPoint closest_point(const Segment& segment, const Vec3& position) {
  const base::FloatingPointEnvironment mode;
  base::check(segment);
  base::check(position);
  const Path path = exact::path_of(segment);
  const Sphere point{position, 0};
  exact::Counts counts;
  // An end is the nearest point if the distance does not decrease from there into the segment.
  if (exact::sign_slope(path, point, 0, counts) >= 0)
    return {0, segment.from, squared_distance(segment.from, position)};
  if (exact::sign_slope(path, point, 1, counts) <= 0)
    return {1, segment.to, squared_distance(segment.to, position)};
  const double t = exact::closest_approach(path, position);
  return {t, exact::point_at(path, t), squared_distance_of_line(exact::relative(path, point))};
}

}  // namespace sphaera::inline SPHAERA_ABI
