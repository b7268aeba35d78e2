#include <cmath>
#include <exact/numbers/double_double.hpp>
#include <query/flight/flight_end.hpp>

namespace sphaera::query {
namespace {

using Long = exact::DoubleDouble<exact::Plain>;

bool less(const Long& a, const Long& b) { return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo); }

/// When the flight ends if no impact ends it: with its duration, or with the horizon if spheres move, but not
/// before it starts. Never rounded, as in `flight_of`.
Long last_instant(const SceneState& state, const Bullet& bullet) {
  const Long by_duration = bullet.duration == infinity
                               ? Long(infinity)
                               : Long(exact::two_sum(bullet.start + 0.0, bullet.duration));
  if (state.velocities.span().empty()) return by_duration;
  const Long by_horizon(std::max(state.horizon.to, bullet.start + 0.0));
  return less(by_duration, by_horizon) ? by_duration : by_horizon;
}

bool goes_on(const Impact& impact) {
  return impact.outcome == Outcome::passes || impact.outcome == Outcome::ricochets;
}

}  // namespace

FlightEnd end_at(const Bullet& bullet, const Impact& impact) {
  if (impact.outcome == Outcome::refused)  // it was never fired
    return {bullet.start, bullet.origin, bullet.velocity, impact.outcome};
  return {impact.time, impact.center, impact.velocity, impact.outcome};
}

FlightEnd end_of_flight(const SceneState& state, const Bullet& bullet, const Vec3& gravity,
                        std::span<const Impact> impacts) {
  if (!impacts.empty() && !goes_on(impacts.back())) return end_at(bullet, impacts.back());
  FlightEnd end{bullet.start + 0.0, bullet.origin, bullet.velocity};  // the start of the last leg
  for (std::size_t k = impacts.size(); k-- > 0;) {
    if (impacts[k].outcome != Outcome::ricochets) continue;
    end = {impacts[k].time, impacts[k].center, impacts[k].velocity};
    break;
  }
  const Long last = last_instant(state, bullet);
  const bool falls = gravity != Vec3{};
  if (last.hi == infinity) {
    const FlightEnd none;
    return {infinity, none.center, falls ? none.velocity : end.velocity};
  }
  const Long left = last - end.time, t = left.hi > 0 ? left : Long(0);
  const auto fly = [&](double& place, double& velocity, double acceleration) {
    const Long gained = Long(acceleration) * t;
    place = static_cast<double>(Long(place) + (Long(velocity) + gained * 0.5) * t);
    velocity = static_cast<double>(Long(velocity) + gained);
  };
  fly(end.center.x, end.velocity.x, gravity.x);
  fly(end.center.y, end.velocity.y, gravity.y);
  fly(end.center.z, end.velocity.z, gravity.z);
  end.time = static_cast<double>(last);
  return end;
}

}  // namespace sphaera::query
