#include <algorithm>
#include <optional>
#include <tests/oracle/rebound.hpp>
#include <tests/oracle/trajectory.hpp>
#include <vector>

namespace sphaera::oracle {

namespace {

struct Meeting {
  std::int64_t sphere;
  Contact contact;
  ExpandedSight sight;
};

/// The place of a meeting in 100 digits.
struct Place100 {
  Real t;                     ///< since the leg's start
  Place from_center, normal;  ///< the bullet's center from the sphere's; the unit normal, 0 at the center
};

class Follower {
 public:
  Follower(const World& world, const Bullet& bullet, const FlightOptions& rules, bool numbers)
      : world_(world), rules_(rules), numbers_(numbers), leg_(bullet) {
    if (rules.start_inside != StartInside::leaves) return;
    for (std::int64_t id = 0; id < count(); ++id)
      if (contact(sight(id)) == Contact::starts_inside) inside_.push_back(id);
  }

  std::string fault_in(std::span<const Impact> answer) {
    bool flies = true;
    for (std::size_t i = 0; i < answer.size(); ++i) {
      const Impact& m = answer[i];
      const std::string here = "impact " + std::to_string(i) + ": ";
      const std::optional<Meeting> met = flies ? first() : std::nullopt;
      if (!met) return here + "there is none";
      if (m.sphere != met->sphere) return here + "the sphere is " + std::to_string(met->sphere);
      if (m.contact != met->contact) return here + "the contact is another";
      if (const std::string wrong = take(m, *met, flies); !wrong.empty()) return here + wrong;
    }
    return flies && first() ? "there are more impacts" : "";
  }

 private:
  using Ids = std::vector<std::int64_t>;

  static bool holds(const Ids& ids, std::int64_t id) { return std::ranges::find(ids, id) != ids.end(); }
  std::int64_t count() const { return static_cast<std::int64_t>(world_.spheres.size()); }
  const Sphere& sphere(std::int64_t id) const { return world_.spheres[static_cast<std::size_t>(id)]; }
  Vec3 velocity(std::int64_t id) const {
    return world_.velocities.empty() ? Vec3{} : world_.velocities[static_cast<std::size_t>(id)];
  }
  ExpandedSight sight(std::int64_t id) const {
    if (world_.velocities.empty()) return oracle::sight(leg_, sphere(id), {});
    return oracle::sight(leg_, sphere(id), velocity(id), world_.horizon);
  }

  /// The first sphere that the bullet hits on the rest of the leg.
  std::optional<Meeting> first() const {
    std::optional<Meeting> best;
    for (std::int64_t id = 0; id < count(); ++id) {
      if (id == last_ || holds(passed_on_leg_, id)) continue;
      Meeting met{id, Contact::miss, sight(id)};
      met.contact = contact(met.sight);
      if (met.contact != Contact::miss && counts(met) && (!best || precedes(met, *best))) best = met;
    }
    return best;
  }

  /// Is it an impact by the rules? A bullet that approaches starts to go deeper at once.
  bool counts(const Meeting& met) const {
    const bool approaches = sign_slope(met.sight, 0) < 0;
    if (holds(at_this_instant_, met.sphere) && !approaches) return false;
    if (met.contact == Contact::enters) return true;
    return !holds(inside_, met.sphere) && (!bounced_ || approaches);
  }

  bool precedes(const Meeting& a, const Meeting& b) const {
    const int order = compare_entries(a.sight, b.sight);
    if (order != 0) return order < 0;
    const bool refuses = rules_.start_inside == StartInside::refuses && !bounced_;
    if (refuses && a.contact != b.contact) return a.contact == Contact::starts_inside;
    return a.sphere < b.sphere;
  }

  /// Compares the impact, then follows the bullet past it.
  std::string take(const Impact& m, const Meeting& met, bool& flies) {
    flies = false;
    const bool within = met.contact == Contact::starts_inside && !bounced_;
    if (within && rules_.start_inside == StartInside::refuses)
      return m.outcome == Outcome::refused ? "" : "it is refused";
    if (m.bounce != impacts_++) return "the number is another";
    const Outcome outcome = outcome_at(m, met);
    if (m.outcome != outcome) return "the outcome is " + std::to_string(static_cast<int>(outcome));
    if (numbers_)
      if (const std::string wrong = fault_in_numbers(m, met); !wrong.empty()) return wrong;
    if (outcome == Outcome::passes) inside_.push_back(met.sphere), passed_on_leg_.push_back(met.sphere);
    if (outcome == Outcome::ricochets) bounce(m);
    flies = outcome == Outcome::passes || outcome == Outcome::ricochets;
    return "";
  }

  Outcome outcome_at(const Impact& m, const Meeting& met) {
    const double cost =
        rules_.resistances.empty() ? 1 : rules_.resistances[static_cast<std::size_t>(met.sphere)];
    if (pierced_ < rules_.pierces && cost <= rules_.budget - spent_) {
      ++pierced_, spent_ += cost;
      return Outcome::passes;
    }
    if (bounces_ == rules_.bounces) return Outcome::stops;
    ++bounces_;
    hops_ = bounced_ && is_hop(m, met) ? hops_ + 1 : 0;
    return hops_ == 100 ? Outcome::stuck : Outcome::ricochets;
  }

  bool is_hop(const Impact& m, const Meeting& met) const {
    const auto size = [](const Vec3& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); };
    const double t = met.contact == Contact::enters ? static_cast<double>(roots(met.sight.sight)->t1) : 0,
                 radii = sphere(met.sphere).radius + leg_.radius;
    const Vec3 w = velocity(met.sphere);
    return m.distance + t * size(w) <= 0x1p-49 * (size(m.center) + radii + std::fabs(m.time) * size(w));
  }

  Place100 place_of(const Meeting& met) const {
    const Sight& s = met.sight.sight;
    Place100 p;
    if (met.contact == Contact::enters) p.t = oracle::roots(s)->t1;
    p.from_center = along(real(s.l), p.t, real(s.d));
    const Real far = oracle::length(p.from_center);
    if (far > 0) p.normal = along({}, 1 / far, p.from_center);
    return p;
  }

  std::string fault_in_numbers(const Impact& m, const Meeting& met) const {
    const Real u = 0x1p-53;
    const Place100 p = place_of(met);
    const Vec3 w = velocity(met.sphere);
    const Real time = leg_.start + p.t, drift = abs(time) * oracle::length(real(w));
    const auto apart = [](const Vec3& x, const Place& y) { return oracle::length(along(real(x), -1, y)); };
    if (abs(m.time - time) > Real(1.1) * u * (abs(time) + p.t)) return "the time is wrong";
    const Real distance = p.t * oracle::length(real(leg_.velocity));
    if (abs(m.distance - distance) > 4 * u * distance) return "the distance is wrong";
    const Sphere& s = sphere(met.sphere);
    const Place here = along(real(s.center), time, real(w)), point = along(here, s.radius, p.normal);
    const Real size = oracle::length(point) + drift + s.radius + leg_.radius;
    if (apart(m.point, point) > 2 * u * size) return "the point is wrong";
    if (apart(m.center, along(here, 1, p.from_center)) > 2 * u * size) return "the center is wrong";
    if (m.outcome == Outcome::passes) return m.velocity == leg_.velocity ? "" : "the velocity is not kept";
    const Place d = real(met.sight.sight.d);
    const Place after = rebound(d, p.normal, rules_.restitution, rules_.friction);
    const Real speeds = oracle::length(d) + oracle::length(real(w));
    return apart(m.velocity, along(after, 1, real(w))) > 4 * u * speeds ? "the velocity is wrong" : "";
  }

  void bounce(const Impact& m) {
    if (hops_ == 0) at_this_instant_.clear();
    at_this_instant_.push_back(m.sphere);
    leg_.origin = m.center, leg_.velocity = m.velocity, leg_.start = m.time;
    last_ = m.sphere, bounced_ = true;
    passed_on_leg_.clear();
    std::erase_if(inside_, [&](std::int64_t id) { return sign_power(sight(id), 0) >= 0; });
  }

  const World& world_;
  const FlightOptions& rules_;
  bool numbers_;
  Bullet leg_;
  std::int64_t last_ = -1;  ///< the sphere of the last ricochet
  bool bounced_ = false;
  /// Spheres that the bullet has ricocheted off at this instant, up to hops; that it is inside of and has
  /// passed or started in; that it has passed on this leg.
  Ids at_this_instant_, inside_, passed_on_leg_;
  std::uint32_t impacts_ = 0, bounces_ = 0, pierced_ = 0;
  int hops_ = 0;
  double spent_ = 0;
};

}  // namespace

std::string fault_in(const World& world, const Bullet& bullet, const FlightOptions& rules,
                     std::span<const Impact> answer, bool numbers) {
  return Follower(world, bullet, rules, numbers).fault_in(answer);
}

}  // namespace sphaera::oracle
