#pragma once
/// \file A bullet's flight through a scene, up to its first impact.

#include <query/flight/passed_spheres.hpp>
#include <query/path/path_answers.hpp>
#include <sphaera/bullet.hpp>

namespace sphaera::query {

/// Does a bullet's path bend under gravity?
enum class Falls : bool { no, yes };

/// Prepares a bullet's flight. Where spheres move, it ends at the latest with the scene's time interval. It
/// does not start before the interval (check_input); a flight that starts after the interval is empty. A
/// resting bullet among resting spheres that does not fall only needs testing at t = 0.
inline exact::Flight flight_of(const SceneState& state, const Bullet& bullet, Falls falls = Falls::no) {
  const bool moving = !state.velocities.span().empty(),
             waits = bullet.velocity == Vec3{} && falls == Falls::no;
  const double last = waits && !moving ? 0 : bullet.duration;
  const double start = bullet.start + 0.0;  // −0 becomes 0, so that no answered time is −0
  exact::Flight flight(exact::prepared({bullet.origin, bullet.velocity, {}, 0, last, 0, 0}), bullet.radius,
                       start);
  if (!moving) return flight;
  const exact::TwoDouble end = exact::two_diff(state.horizon.to, start);
  if (end.hi < last || (end.hi == last && end.lo < 0)) flight.end_at(end);
  return flight;
}

/// A flight paired with a sphere of the scene.
template <class Arithmetic>
SPHAERA_INLINE exact::InMotion pair_of(Arithmetic arithmetic, const SceneState& state,
                                       const exact::Flight& flight, std::uint32_t id) {
  return {arithmetic, flight, state.spheres.span()[id], state.velocity_of(id)};
}

/// Among spheres at rest a bullet of radius 0 flies like a ray, and a ray's walk is cheaper.
inline bool goes_as_ray(const SceneState& state, const exact::Flight& flight) {
  return flight.radius == 0 && state.velocities.span().empty() && !(flight.path.direction == Vec3{});
}

/// A flight among the spheres that a bullet may hit, with the members of PathAtRest (../path/scene_path.hpp).
class FlightPath {
 public:
  using Walk = index::FlightWalk;
  using Member = exact::Flight;  ///< of a WalkGroup

  FlightPath(const SceneState& state, const exact::Flight& flight, const PassedSpheres& passed)
      : flight_(flight),
        spheres_(state.spheres.span().data()),
        velocities_(state.velocities.data_or_null()),
        passed_(passed) {}

  const exact::Flight& flight() const { return flight_; }
  const exact::Path& path() const { return flight_.path; }
  void set(Walk& walk) const { walk.start = flight_.start, walk.margin = flight_.radius; }
  template <class Arithmetic>
  SPHAERA_INLINE exact::InMotion pair(Arithmetic arithmetic, std::uint32_t id) const {
    return {arithmetic, flight_, spheres_[id], velocities_ ? velocities_ + id : nullptr};
  }
  SPHAERA_INLINE bool passes_over(std::uint32_t id) const { return passed_.leaves(id); }
  bool is_fresh(std::uint32_t id) const { return passed_.is_fresh(id); }
  /// Does a sphere that the bullet meets count as hit, under the flight's rules?
  SPHAERA_INLINE bool hits(const exact::InMotion& pair, const Candidate& met, exact::Counts& counts) const {
    return met.contact != Contact::starts_inside || hits_from_within(pair, met.sphere, counts);
  }
  bool before_at_once(const Candidate& a, const Candidate& b) const { return passed_.before_at_once(a, b); }
  int compare_entries(const Candidate& a, const Candidate& b, exact::Counts& counts) const;

 private:
  /// Does a sphere around the bullet's start count as hit? Spheres that it passes through do not. After a
  /// bounce an overlap is rounding: approaching means hit now, receding means ignore.
  bool hits_from_within(const exact::InMotion& pair, std::uint32_t id, exact::Counts& counts) const;

  const exact::Flight& flight_;
  const Sphere* spheres_;
  const Vec3* velocities_;  ///< null: all at rest
  const PassedSpheres& passed_;
};

using FirstImpact = FirstAlong<FlightPath>;

/// The first candidate of a flight; a miss if there is none. `prepared`: the flight, for the frame in which
/// the walk begins, or none.
Candidate first_impact(const SceneState& state, const exact::Flight& flight, const PassedSpheres& passed,
                       const SphereFilter& sphere_filter, const QueryOptions& options, QueryStats& stats,
                       index::PreparedRay prepared = {});

/// The ricochets, penetrations and resistances that a bullet has left.
struct Allowance {
  std::uint32_t bounces, pierces;
  double budget;

  explicit Allowance(const FlightOptions& rules)
      : bounces(rules.bounces), pierces(rules.pierces), budget(rules.budget) {}

  static double resistance(const FlightOptions& rules, std::uint32_t sphere) {
    return rules.resistances.empty() ? 1 : rules.resistances[sphere];
  }
  /// Does the bullet pass through a sphere that it hits now?
  bool passes(const FlightOptions& rules, std::uint32_t sphere) const {
    return pierces > 0 && resistance(rules, sphere) <= budget;
  }
  /// What happens at a sphere that the bullet hits; reduces what it has left.
  Outcome spend(const FlightOptions& rules, std::uint32_t sphere) {
    if (passes(rules, sphere)) {
      --pierces, budget -= resistance(rules, sphere);
      return Outcome::passes;
    }
    if (bounces == 0) return Outcome::stops;
    --bounces;
    return Outcome::ricochets;
  }
};

/// The gravity of a bullet, by its number in the batch.
inline const Vec3& gravity_of(const FlightOptions& rules, std::size_t bullet) {
  return rules.gravities.empty() ? rules.gravity : rules.gravities[bullet];
}

/// Sets the outcome of an impact whose numbers are known. On a straight path a bullet that passes through the
/// sphere keeps its `velocity`, that at the start of the leg; under gravity the impact has it already.
inline void set_outcome(const FlightOptions& rules, const Vec3& gravity, std::uint32_t sphere,
                        const Vec3& velocity, Allowance& allowance, Impact& impact) {
  impact.outcome = allowance.spend(rules, sphere);
  if (impact.outcome == Outcome::passes && gravity == Vec3{}) impact.velocity = velocity;
}

}  // namespace sphaera::query
