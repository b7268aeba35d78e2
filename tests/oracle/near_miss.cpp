#include <algorithm>
#include <optional>
#include <tests/oracle/near_miss.hpp>
#include <tests/oracle/place.hpp>
#include <vector>

namespace sphaera::oracle {

namespace {

const double u = 0x1p-53;
const Real denormals = ldexp(Real(1), -1070);  // what a few sums and products lose there

/// A sphere and the bullet where they are nearest, and how far rounding may move that.
struct Nearest {
  Real gap, time;  ///< time since the bullet's start
  Place center, from_center;
  Real error, time_error;
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
    Nearest n;
    n.time = std::max(Real(0), closest_approach(s).value_or(Real(0)));
    if (const std::optional<Real> last = end(); last && *last < n.time) n.time = *last;
    const Place start = real(s.l), d = real(s.d), velocity = real(sphere_velocity(i));
    n.from_center = along(start, n.time, d);
    n.center = along(real(world_.spheres[i].center), n.time + Real(bullet_.start), velocity);
    n.gap = length(n.from_center) - to_real(s.r);
    const Real far = length(start), speed = length(d);
    n.error = 18 * u * (far + to_real(s.r)) + denormals;
    n.time_error = 32 * u * ((speed > 0 ? Real(far / speed) : Real(0)) + n.time + abs(bullet_.start));
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

}  // namespace

std::string fault_in(const World& world, const Bullet& bullet, double max_distance, const NearMiss& answer) {
  if (world.spheres.empty()) return answer.sphere < 0 ? "" : "there is no sphere";
  const Search search(world, bullet);
  if (search.is_empty()) return answer.sphere < 0 ? "" : "the flight is empty";
  const bool found = answer.sphere >= 0;
  const Real reported = found ? answer.distance : max_distance;
  if (reported > max_distance) return "the distance is too large";
  for (std::size_t i = 0; i < world.spheres.size(); ++i) {
    if (search.is_touched(i)) {
      if (found && answer.sphere == static_cast<std::int64_t>(i)) return "it is touched";
      continue;
    }
    const Nearest n = search.nearest(i);
    if (n.gap + n.error < reported) return "sphere " + std::to_string(i) + " is at " + text(n.gap);
    if (!found || answer.sphere != static_cast<std::int64_t>(i)) continue;
    if (abs(n.gap - reported) > n.error) return "the distance is " + text(n.gap);
    const Real time = n.time + Real(bullet.start);
    if (std::isinf(answer.time)) {
      if (time < ldexp(Real(1), 1023)) return "the time is " + text(time);
    } else if (abs(Real(answer.time) - time) > n.time_error + denormals) {
      return "the time is " + text(time);
    }
    const Real size = length(n.from_center),
               share = size > 0 ? Real(world.spheres[i].radius / size) : Real(0);
    const Place point = along(n.center, share, n.from_center), given = real(answer.point);
    const Real moved = length(real(search.sphere_velocity(i))) * n.time_error;
    if (length(along(given, Real(-1), point)) > 32 * (n.error + Real(u) * length(n.center)) + moved)
      return "the point is " + text(point[0]) + ", " + text(point[1]) + ", " + text(point[2]);
  }
  return "";
}

}  // namespace sphaera::oracle
