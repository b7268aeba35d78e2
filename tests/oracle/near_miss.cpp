#include <algorithm>
#include <optional>
#include <tests/oracle/near_miss.hpp>
#include <tests/oracle/place.hpp>
#include <vector>

namespace sphaera::oracle {

namespace {

const double roundoff = 0x1p-53;
const Real denormals = ldexp(Real(1), -1070);  // what a few sums and products lose there

/// A sphere and the bullet where they are nearest, with the errors that are stated.
struct Nearest {
  Real gap, time;  ///< scene time
  Place point;
  Real gap_error, time_error, point_error;
};

class Search {
 public:
  Search(const World& world, const Bullet& bullet) : world_(world), bullet_(bullet) {
    for (std::size_t i = 0; i < world.spheres.size(); ++i) sights_.emplace_back(sight(i));
    for (std::size_t i = 0; i < sights_.size(); ++i) {
      if (contact(sights_[i]) == Contact::miss) continue;
      if (!first_ || compare_entries(sights_[i], sights_[*first_]) < 0) first_ = i;
    }
  }

  bool is_empty() const {
    const Sight& s = sights_[0].sight;
    return (Dyadic(s.t_max) + s.t_max_more - Dyadic(s.t_min)).sign() < 0;
  }

  bool is_touched(std::size_t i) const {
    return first_ && contact(sights_[i]) != Contact::miss &&
           compare_entries(sights_[i], sights_[*first_]) == 0;
  }

  Nearest nearest(std::size_t i) const {
    const Sight& s = sights_[i].sight;
    Real t = std::max(Real(0), closest_approach(s).value_or(Real(0)));
    if (const std::optional<Real> last = end(); last && *last < t) t = *last;
    const Place start = real(s.l), d = real(s.d), velocity = real(sphere_velocity(i)),
                from_center = along(start, t, d);
    const Real radii = to_real(s.r), reach = length(start) + radii, speed = length(d),
               far = length(from_center), radius = world_.spheres[i].radius;
    Nearest n;
    n.gap = far - radii, n.time = t + Real(bullet_.start);
    const Place center = along(real(world_.spheres[i].center), n.time, velocity);
    n.point = along(center, far > 0 ? Real(radius / far) : Real(0), from_center);
    const Real from_start = speed > 0 ? Real(length(start) / speed) : Real(0), drift = length(velocity);
    n.gap_error = 18 * roundoff * reach;
    n.time_error = 13 * roundoff * from_start + roundoff * (abs(n.time) + t);
    n.point_error = 16 * roundoff * (reach + length(n.point) + abs(n.time) * drift) + drift * n.time_error;
    return n;
  }

  Vec3 sphere_velocity(std::size_t i) const {
    return world_.velocities.empty() ? Vec3{} : world_.velocities[i];
  }

 private:
  Sight sight(std::size_t i) const {
    if (world_.velocities.empty()) return oracle::sight(bullet_, world_.spheres[i], {});
    return oracle::sight(bullet_, world_.spheres[i], world_.velocities[i], world_.horizon);
  }

  /// The end of the flight or its first impact; none: it does not end.
  std::optional<Real> end() const {
    if (first_) {
      const ExpandedSight& s = sights_[*first_];
      if (contact(s) == Contact::starts_inside) return Real(s.sight.t_min);
      return roots(s.sight)->t1;
    }
    const Sight& s = sights_[0].sight;
    if (s.t_max == infinity) return std::nullopt;
    return to_real(Dyadic(s.t_max) + s.t_max_more);
  }

  const World& world_;
  const Bullet& bullet_;
  std::vector<ExpandedSight> sights_;
  std::optional<std::size_t> first_;  ///< the sphere that is hit first
};

std::string text(const Real& x) { return x.str(20, std::ios_base::scientific); }

/// Is the error within what is stated and what underflow adds, or 0 if that is stated? Notes it in units of
/// what is stated.
bool is_good(const Real& error, const Real& stated, double& worst) {
  if (stated > denormals) worst = std::max(worst, static_cast<double>(abs(error) / stated));
  return abs(error) <= (stated > 0 ? Real(stated + denormals) : stated);
}

std::string fault_in_numbers(const NearMiss& answer, const Nearest& exact, NearMissErrors& worst) {
  if (!is_good(answer.distance - exact.gap, exact.gap_error, worst.distance))
    return "the distance is " + text(exact.gap);
  if (std::isinf(answer.time)) {
    if (exact.time < ldexp(Real(1), 1023)) return "the time is " + text(exact.time);
  } else if (!is_good(answer.time - exact.time, exact.time_error, worst.time)) {
    return "the time is " + text(exact.time);
  }
  if (!is_good(length(along(real(answer.point), -1, exact.point)), exact.point_error, worst.point))
    return "the point is " + text(exact.point[0]) + ", " + text(exact.point[1]) + ", " + text(exact.point[2]);
  return "";
}

}  // namespace

std::string fault_in(const World& world, const Bullet& bullet, double max_distance, const NearMiss& answer,
                     NearMissErrors* worst) {
  if (world.spheres.empty()) return answer.sphere < 0 ? "" : "there is no sphere";
  const Search search(world, bullet);
  if (search.is_empty()) return answer.sphere < 0 ? "" : "the flight is empty";
  const bool found = answer.sphere >= 0;
  const Real reported = found ? answer.distance : max_distance;
  if (reported > max_distance) return "the distance is too large";
  NearMissErrors none;
  for (std::size_t i = 0; i < world.spheres.size(); ++i) {
    const bool reports = found && answer.sphere == static_cast<std::int64_t>(i);
    if (search.is_touched(i)) {
      if (reports) return "it is touched";
      continue;
    }
    const Nearest n = search.nearest(i);
    // The gap of this sphere, as computed, is at most this; the least is reported.
    if (n.gap + n.gap_error + denormals < reported)
      return "sphere " + std::to_string(i) + " is at " + text(n.gap);
    if (!reports) continue;
    if (std::string fault = fault_in_numbers(answer, n, worst ? *worst : none); !fault.empty()) return fault;
  }
  return "";
}

}  // namespace sphaera::oracle
