#include <ballistics/impact.hpp>
#include <exact/numbers/length.hpp>
#include <query/flight/trajectory.hpp>

namespace sphaera::query {

Impact Trajectory::first(const Bullet& bullet, std::size_t i) {
  begin(bullet, i);
  if (curved()) return first_curved();
  const Candidate met = first_impact(state_, flight_, passed_, sphere_filter_, options_, stats_);
  return met.contact == Contact::miss ? Impact{} : impact_of(met, nullptr, 0);
}

void Trajectory::all(const Bullet& bullet, std::size_t i, std::vector<Impact>& impacts) {
  begin(bullet, i);
  fly_on(impacts);
}

void Trajectory::fly_on(std::vector<Impact>& impacts) {
  const std::size_t first = impacts.size();
  bool goes_on = true;
  while (goes_on && !options_.stop.stop_requested() &&
         impacts.size() - first <= most_items<Impact>(options_)) {
    if (waits_inside()) note_start();
    if (curved()) {
      goes_on = fly_curve(impacts);
    } else {
      find_candidates();
      goes_on = apply(std::span<const Candidate>(found_), impacts);
    }
  }
}

void Trajectory::begin(const Bullet& bullet, std::size_t i) {
  gravity_ = gravity_of(rules_, i);
  flight_ = flight_of(state_, bullet, Falls{curved()});
  duration_ = bullet.duration;
  passed_.clear();
  passed_.start_inside = rules_.start_inside;
  sphere_filter_ = SphereFilter(state_, options_, i);
  allowance_ = Allowance(rules_), impacts_ = 0, hops_ = 0;
}

/// The current leg's candidates that can matter, in order: all if some may be passed through, else the first.
void Trajectory::find_candidates() {
  if (allowance_.pierces > 0) return find_all(passed_);
  found_.clear();
  const Candidate met = first_impact(state_, flight_, passed_, sphere_filter_, options_, stats_);
  if (met.contact != Contact::miss) found_.push_back(met);
}

/// All candidates of the current leg, in order.
void Trajectory::find_all(const PassedSpheres& passed) {
  using AllImpacts = AllAlong<FlightPath>;
  found_.clear();
  AllImpacts walk({state_, flight_, passed}, callbacks_of<AllImpacts>(), sphere_filter_);
  walk.found = &found_;
  find<AllImpacts::order, index::FlightWalk>(state_, options_, walk);
  walk.sorted();
  count(walk, stats_);
}

/// Must the spheres around the muzzle be remembered? Only if the bullet may bounce before it has left them.
bool Trajectory::waits_inside() const {
  return rules_.start_inside == StartInside::leaves && !passed_.bounced && allowance_.bounces > 0;
}

/// Remembers the spheres around the muzzle that the bullet must first leave.
void Trajectory::note_start() {
  const exact::Flight whole = flight_;
  flight_.end_at({flight_.path.t_min, 0});
  PassedSpheres hits;
  find_all(hits);
  for (const Candidate& m : found_)
    if (m.contact == Contact::starts_inside) passed_.within.push_back(m.sphere);
  flight_ = whole;
}

Impact Trajectory::first_curved() {
  CurvedLeg leg = curved_leg();
  const std::span<const CurvedCandidate> found = leg.first();
  return found.empty() ? Impact{} : impact_of(found[0], nullptr, 0);
}

bool Trajectory::fly_curve(std::vector<Impact>& impacts) {
  CurvedLeg leg = curved_leg();
  const std::span<const CurvedCandidate> found = allowance_.pierces > 0 ? leg.all() : leg.first();
  if (!leg.held()) return apply(found, impacts);
  if (!impacts.empty()) impacts.back().outcome = Outcome::stops;  // it never left the sphere
  return false;
}

/// Processes the leg's candidates; true if a ricochet has started another leg.
template <class Met>
bool Trajectory::apply(std::span<const Met> found, std::vector<Impact>& impacts) {
  for (const Met& met : found) {
    Impact impact;
    const Next next = meet(met, nullptr, 0, impact);
    if (next == Next::rests) {
      impacts.back().outcome = Outcome::stops;
      return false;
    }
    impacts.push_back(impact);
    if (next != Next::passes) return next == Next::ricochets;
  }
  return false;
}

template <class Met>
Trajectory::Next Trajectory::meet(const Met& met, const Impact* numbers, double elapsed, Impact& impact) {
  impact = impact_of(met, numbers, elapsed);
  if (rests(impact)) return Next::rests;
  if (impact.outcome == Outcome::ricochets) {
    hops_ = passed_.bounced && hops(impact) ? hops_ + 1 : 0;
    if (hops_ == most_hops) {
      impact.outcome = Outcome::stuck;
      return Next::ends;
    }
    bounce(impact);
    return Next::ricochets;
  }
  if (impact.outcome != Outcome::passes) return Next::ends;
  passed_.within.push_back(met.sphere);
  return Next::passes;
}
template Trajectory::Next Trajectory::meet(const Candidate&, const Impact*, double, Impact&);
template Trajectory::Next Trajectory::meet(const CurvedCandidate&, const Impact*, double, Impact&);

/// Have bullet and sphere moved since the last bounce by no more than the accuracy of their positions? Such
/// hops may come from rounding alone: a leg starts within 2u·size of the surface, so a hop from that error
/// alone is at most 4u·size long. 16u is four times as much: a rule, not a proof.
bool Trajectory::hops(const Impact& impact) const {
  const exact::InMotion both = pair(static_cast<std::uint32_t>(impact.sphere));
  const double size =
      exact::one_norm(impact.center) + both.radius() + exact::one_norm(impact.time * both.velocity());
  return impact.distance + exact::one_norm(elapsed_ * both.velocity()) <= 16 * exact::u * size;
}

/// Would the bullet hop on one sphere for ever?
bool Trajectory::rests(const Impact& impact) const {
  return curved() && impact.outcome != Outcome::refused &&
         impact.sphere == std::int64_t{passed_.bounced_off} && hops(impact);
}

/// The impact and its outcome; reduces the bullet's allowance.
template <class Met>
Impact Trajectory::impact_of(const Met& met, const Impact* numbers, double elapsed) {
  Impact impact;
  const bool within = met.contact == Contact::starts_inside && !passed_.bounced;
  if (within && rules_.start_inside == StartInside::refuses) {
    impact.sphere = met.sphere, impact.contact = met.contact, impact.outcome = Outcome::refused;
    return impact;
  }
  if (numbers)
    impact = *numbers, elapsed_ = elapsed;
  else
    impact = numbers_of(met);
  impact.sphere = met.sphere, impact.contact = met.contact;
  impact.bounce = impacts_++;
  set_outcome(rules_, gravity_, met.sphere, flight_.path.direction, allowance_, impact);
  return impact;
}

template Impact Trajectory::impact_of(const Candidate&, const Impact*, double);
template Impact Trajectory::impact_of(const CurvedCandidate&, const Impact*, double);

Impact Trajectory::numbers_of(const Candidate& met) {
  return ballistics::impact(pair(met.sphere), met.sphere, met.contact, bounce_off(met.sphere), elapsed_);
}
Impact Trajectory::numbers_of(const CurvedCandidate& met) {
  const exact::InMotion both = pair(met.sphere);
  constexpr ballistics::Bounce keeps_velocity{-1, 0};
  const ballistics::Bounce bounce =
      allowance_.passes(rules_, met.sphere) ? keeps_velocity : bounce_off(met.sphere);
  Impact impact;
  if (met.simple && ballistics::quick_curved_impact(both, met.sphere, met.contact, gravity_, met.low,
                                                    met.high, bounce, impact, elapsed_))
    return impact;
  const CurvedLeg::Decided exact = curved_leg().decided(met);
  return ballistics::curved_impact(both, met.sphere, met.contact, exact.curve, exact.interval, bounce,
                                   elapsed_);
}

/// Starts the next leg at the last impact.
void Trajectory::bounce(const Impact& impact) {
  duration_ = std::max(0.0, duration_ - elapsed_);
  const Bullet rest{impact.center, impact.velocity, flight_.radius, impact.time, duration_};
  flight_ = flight_of(state_, rest, Falls{curved()});
  exact::Counts counts;
  const auto off = static_cast<std::uint32_t>(impact.sphere);
  if (hops_ > 0)
    passed_.touched.push_back({passed_.bounced_off, true});
  else
    passed_.touched.clear();
  std::erase_if(passed_.touched, [&](const PassedSpheres::Touched& t) { return t.sphere == off; });
  for (PassedSpheres::Touched& t : passed_.touched)
    t.recedes = exact::sign_slope(pair(t.sphere), flight_.path.t_min, counts) >= 0;
  passed_.bounced_off = off, passed_.bounced = true;
  // Keeps the balls around the impact: balls are convex, so a straight leg that was inside one and ends
  // inside it has not left it.
  std::erase_if(passed_.within, [&](std::uint32_t id) {
    return exact::sign_power(pair(id), flight_.path.t_min, counts) >= 0;
  });
  count(0, counts, stats_);
}

}  // namespace sphaera::query
