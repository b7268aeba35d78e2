#include <algorithm>
#include <contacts/bounded_ball.hpp>
#include <exact/numbers/elementary.hpp>
#include <numbers>

namespace sphaera::contacts {
namespace {

using exact::u;

/// Lower and upper bounds of |offset|² − r². The margin for rounding is 8u of each square.
double least_power(const BoundedBall& b) {
  const double near = std::max(b.distance - b.drift, 0.0);
  return near * near * (1 - 8 * u) - b.radius * b.radius * (1 + 8 * u);
}
double max_power(const BoundedBall& b) {
  const double far = b.distance + b.drift;
  return far * far * (1 + 8 * u) - b.radius * b.radius * (1 - 8 * u);
}

/// Error < angle_error: the directions of the unit vectors are off by u each, the vector product, its length
/// and the scalar product by 5.6u together, the arc tangent by half an ulp of π (2u); comparisons add 4u.
double angle_between(const Vec3& a, const Vec3& b) {
  return exact::arc_tangent(exact::length(cross(a, b)), dot(a, b));
}
constexpr double angle_error = 32 * u;

/// True if the observer stays inside the ball.
bool is_around_observer(const BoundedBall& b) { return (b.distance + b.drift) * (1 + 8 * u) < b.radius; }

/// Decides by the distance of the centers, which is within `slack` of `gap`. The sums are off by 4u.
RelativePosition by_gap(double star_radius, double body_radius, double gap, double slack) {
  slack *= 1 + 16 * u;
  if (gap - slack > (star_radius + body_radius) * (1 + 8 * u)) return RelativePosition::apart;
  const double farthest = (gap + slack) * (1 + 4 * u);
  if (farthest + body_radius < star_radius * (1 - 4 * u)) return RelativePosition::body_in_star;
  if (farthest + star_radius < body_radius * (1 - 4 * u)) return RelativePosition::star_in_body;
  return RelativePosition::unknown;
}

}  // namespace

RelativePosition relative_position(const BoundedBall& star, const BoundedBall& body) {
  if (star.at_infinity()) return RelativePosition::apart;
  const double gap = exact::length(body.distance * body.toward - star.distance * star.toward);
  return by_gap(star.radius, body.radius, gap,
                star.drift + body.drift + 16 * u * (star.distance + body.distance));
}

RelativePosition relative_position(double star_radius, double body_radius, const PositionBounds& from_star) {
  const double gap = exact::length(from_star.offset);
  return by_gap(star_radius, body_radius, gap, from_star.drift + 8 * u * gap);
}

double angle_between(const BoundedBall& star, const BoundedBall& body) {
  return angle_between(star.toward, body.toward);
}

bool is_apart(const BoundedBall& star, const BoundedBall& body, double angle) {
  return star.outside && body.outside && angle - angle_error > star.widest + body.widest;
}

bool is_phase_constant(const BoundedBall& star, const BoundedBall& body, double angle,
                       RelativePosition position) {
  if (!star.outside || position == RelativePosition::unknown) return false;
  if (position != RelativePosition::apart) return true;  // lit, or umbra
  if (is_around_observer(body)) return true;             // umbra
  if (!body.outside) return false;
  if (!star.at_infinity()) {
    if (least_power(body) > max_power(star)) return true;  // behind: lit
    if (!(max_power(body) < least_power(star))) return false;
  }
  const double low = angle - angle_error, high = angle + angle_error;
  if (high + star.widest < body.narrowest) return true;  // umbra
  if (high + body.widest < star.narrowest) return true;  // antumbra
  const bool overlap = star.narrowest >= 0 && body.narrowest >= 0 && high < star.narrowest + body.narrowest;
  return overlap && low + star.narrowest > body.widest && low + body.narrowest > star.widest;  // penumbra
}

/// The star is below, above or across the horizon, which is at a right angle to the direction down.
bool is_phase_constant_above(const BoundedBall& star, const BoundedBall& ground, RelativePosition position) {
  constexpr double right_angle = std::numbers::pi / 2;
  if (!star.outside || position == RelativePosition::unknown) return false;
  const double apart = angle_between(star.toward, ground.toward), error = angle_error + tilt(ground);
  const double low = apart - error, high = apart + error;
  if (low - star.widest > right_angle || high + star.widest < right_angle) return true;  // lit, umbra
  return high - star.narrowest < right_angle && low + star.narrowest > right_angle;      // penumbra
}

/// The quotient is off by 3.5u, the arc sine by an ulp.
double tilt(const BoundedBall& ball) {
  const double sine = ball.drift / ball.distance * (1 + 8 * u);
  return sine < 1 ? exact::arc_sine(sine) * (1 + 4 * u) : std::numbers::pi;
}

}  // namespace sphaera::contacts
