#pragma once
/// \file A bullet from impact to impact: it passes through spheres, ricochets, or stops.

#include <ballistics/impact.hpp>
#include <query/flight/curved_leg.hpp>
#include <query/flight/flight.hpp>

namespace sphaera::query {

/// One bullet's trajectory, from impact to impact.
class Trajectory {
 public:
  /// Only this trajectory uses `passed`, whose memory the next trajectory uses again.
  Trajectory(const SceneState& state, const FlightOptions& rules, const QueryOptions& options,
             TaskScratch& scratch, PassedSpheres& passed, QueryStats& stats)
      : state_(state),
        rules_(rules),
        options_(options),
        stats_(stats),
        passed_(passed),
        found_(scratch.candidates),
        curved_(scratch.curved),
        allowance_(rules) {}
  Trajectory(const SceneState& state, const FlightOptions& rules, const QueryOptions& options,
             TaskScratch& scratch, QueryStats& stats)
      : Trajectory(state, rules, options, scratch, scratch.passed, stats) {}

  /// The first impact of bullet i.
  Impact first(const Bullet& bullet, std::size_t i);
  /// Appends all impacts of bullet i; those of more than the memory limit allows may be cut short.
  void all(const Bullet& bullet, std::size_t i, std::vector<Impact>& impacts);
  /// The first impact of bullet i, whose first candidate is known: `met`.
  template <class Met>
  Impact first_at(const Bullet& bullet, std::size_t i, const Met& met) {
    begin(bullet, i);
    return impact_of(met, nullptr, 0);
  }

  // The same leg by leg, for trajectories whose legs are flown together (trajectories.hpp).

  /// Begins the first leg of bullet i.
  void begin(const Bullet& bullet, std::size_t i);
  /// Of the current leg.
  const exact::Flight& flight() const { return flight_; }
  const PassedSpheres& passed() const { return passed_; }
  std::size_t number() const { return sphere_filter_.number; }  ///< of the bullet

  enum class Next : std::uint8_t {
    rests,      ///< the bullet has come to rest at its previous impact; this candidate is no impact
    ends,       ///< the bullet stops, is stuck or refused
    passes,     ///< the leg goes on
    ricochets,  ///< the next leg has begun
  };
  /// The bullet hits a candidate of the current leg. Sets `impact`. Its numbers are `numbers`, and `elapsed`
  /// is the time since the leg's start; if `numbers` is null, both are computed here.
  template <class Met>
  Next meet(const Met& met, const Impact* numbers, double elapsed, Impact& impact);
  /// Appends the impacts of the current leg and of those after it, until they are more than the memory limit
  /// allows.
  void fly_on(std::vector<Impact>& impacts);

 private:
  bool curved() const { return gravity_ != Vec3{}; }
  bool waits_inside() const;
  void note_start();

  void find_candidates();
  void find_all(const PassedSpheres& passed);
  Impact first_curved();
  bool fly_curve(std::vector<Impact>& impacts);
  template <class Met>
  bool apply(std::span<const Met> found, std::vector<Impact>& impacts);

  CurvedLeg curved_leg() {
    return {state_, options_, sphere_filter_, flight_, gravity_, passed_, curved_, stats_};
  }
  exact::InMotion pair(std::uint32_t id) const { return pair_of(exact::Plain{}, state_, flight_, id); }
  template <class Met>
  Impact impact_of(const Met& met, const Impact* numbers, double elapsed);
  ballistics::Bounce bounce_off(std::uint32_t sphere) const {
    return {rules_.restitutions.empty() ? rules_.restitution : rules_.restitutions[sphere],
            rules_.frictions.empty() ? rules_.friction : rules_.frictions[sphere]};
  }
  Impact numbers_of(const Candidate& met);
  Impact numbers_of(const CurvedCandidate& met);
  /// So many hops in a row, and the bullet is stuck (Outcome::stuck). Between two planes at an angle of 1.8°
  /// or more a bullet bounces less often.
  static constexpr int most_hops = 100;
  bool hops(const Impact& impact) const;
  bool rests(const Impact& impact) const;
  void bounce(const Impact& impact);

  const SceneState& state_;
  const FlightOptions& rules_;
  const QueryOptions& options_;
  QueryStats& stats_;
  PassedSpheres& passed_;
  std::vector<Candidate>& found_;
  CurvedScratch& curved_;

  Vec3 gravity_;
  exact::Flight flight_{};
  SphereFilter sphere_filter_{state_, options_, 0};
  double duration_ = 0, elapsed_ = 0;
  Allowance allowance_;
  std::uint32_t impacts_ = 0;
  int hops_ = 0;  ///< bounces in a row, up to the last one, before which the bullet only hopped
};

}  // namespace sphaera::query
