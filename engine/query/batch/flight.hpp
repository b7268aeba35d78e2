#pragma once
/// \file A bullet's way through a scene, up to its first impact.

#include <query/batch/batch.hpp>
#include <query/batch/earliest.hpp>
#include <sphaera/bullet.hpp>

namespace sphaera::query {

/// A bullet made ready. Where spheres move, its flight ends with the horizon, which holds its start
/// (check_inputs). A bullet at rest among spheres at rest that does not fall is tested at t = 0 alone.
inline exact::Flight flight_of(const SceneState& state, const Bullet& bullet, bool falls = false) {
  const bool moving = !state.velocities.span().empty(), waits = bullet.velocity == Vec3{} && !falls;
  const double last = waits && !moving ? 0 : bullet.duration;
  exact::Flight flight(exact::prepared({bullet.origin, bullet.velocity, {}, 0, last, 0, 0}), bullet.radius,
                       bullet.start);
  if (!moving) return flight;
  const exact::TwoDouble end = exact::two_diff(state.horizon.to, bullet.start);
  if (end.hi < last || (end.hi == last && end.lo < 0)) flight.end_at(end);
  return flight;
}

/// A flight and a sphere of the scene.
template <class Arithmetic>
SPHAERA_INLINE exact::InMotion pair_of(Arithmetic arithmetic, const SceneState& state,
                                       const exact::Flight& flight, std::uint32_t id) {
  const std::span<const Vec3> velocities = state.velocities.span();
  return {arithmetic, flight, state.spheres.span()[id], velocities.empty() ? nullptr : &velocities[id]};
}

/// Among spheres at rest a thin bullet goes the way of a ray, and a ray's walk is the cheaper one.
inline bool goes_as_ray(const SceneState& state, const exact::Flight& flight) {
  return flight.radius == 0 && state.velocities.span().empty() && !(flight.path.direction == Vec3{});
}

/// Spheres that a bullet which starts within them does not meet.
struct Passing {
  std::uint32_t left = index::no_sphere;  ///< it has just bounced off this one, and is on its way out
  std::vector<std::uint32_t> within{};    ///< it passes through these
  StartInside start_inside = StartInside::hits;
  bool bounced = false;  ///< no longer from its muzzle: a start within a sphere is a rounding's

  bool holds(std::uint32_t id) const { return std::ranges::find(within, id) != within.end(); }
  /// Of two that are met in the same instant, is `a` the one that counts? The lowest id; but a bullet is
  /// refused wherever it starts within a sphere.
  template <class Met>
  bool before_at_once(const Met& a, const Met& b) const {
    const bool refuses = start_inside == StartInside::refuses && !bounced;
    if (refuses && a.contact != b.contact) return a.contact == Contact::starts_inside;
    return a.sphere < b.sphere;
  }
};

/// What all walks along a flight have in common.
struct FlightQuery : index::FlightWalk, SphereFilter {
  const exact::Flight& flight;
  const Vec3* velocities;  ///< null: all at rest
  const Passing& passing;
  exact::Counts counts;

  FlightQuery(const SceneState& state, const exact::Flight& f, double g, Visit v, const Passing& p,
              const SphereFilter& e)
      : FlightWalk(f.path, f.start, g, v),
        SphereFilter(e),
        flight(f),
        velocities(state.velocities.span().empty() ? nullptr : state.velocities.span().data()),
        passing(p) {}

  template <class Arithmetic>
  SPHAERA_INLINE exact::InMotion pair(Arithmetic arithmetic, std::uint32_t id) const {
    return {arithmetic, flight, spheres[id], velocities ? velocities + id : nullptr};
  }

  /// May it meet a sphere that it enters?
  SPHAERA_INLINE bool enters(std::uint32_t id) const { return admits(id) && id != passing.left; }

  /// How the bullet meets a sphere, by its rules.
  template <class Arithmetic>
  SPHAERA_INLINE Candidate candidate(Arithmetic arithmetic, std::uint32_t id) {
    if (!enters(id)) return {};
    const exact::InMotion both = pair(arithmetic, id);
    const Candidate met(arithmetic, both, id, counts);
    if (met.contact != Contact::starts_inside) return met;
    return meets_from_within(both) ? met : Candidate{};
  }

  bool meets_from_within(const exact::InMotion& pair);

  /// The order of a flight's candidates, (entry, id): exact where the bounds overlap.
  bool earlier(const Candidate& a, const Candidate& b) {
    if (a.entry_high < b.entry_low) return true;
    if (b.entry_high < a.entry_low) return false;
    const exact::Plain plain;
    const int order =
        exact::compare_entries(pair(plain, a.sphere), a.contact, pair(plain, b.sphere), b.contact, counts);
    return order != 0 ? order < 0 : passing.before_at_once(a, b);
  }
};

/// A sphere that holds the bullet's start. After a bounce an overlap is rounding, spheres that it passes
/// through aside: approaching means hit now, receding means ignore.
inline bool FlightQuery::meets_from_within(const exact::InMotion& pair) {
  const auto id = static_cast<std::uint32_t>(&pair.sphere() - spheres);
  if (passing.holds(id)) return false;
  if (passing.bounced) return exact::sign_slope(pair, pair.path.t_min, counts) < 0;
  return passing.start_inside != StartInside::leaves;
}

/// The first candidate.
struct FirstImpact : FlightQuery {
  Earliest first;

  using FlightQuery::FlightQuery;

  template <class Arithmetic>
  SPHAERA_INLINE static index::Next test(FirstImpact& q, std::uint32_t id) {
    return q.first.test<Arithmetic>(q, id);
  }
  template <class Arithmetic>
  SPHAERA_INLINE static index::Next test_entered(FirstImpact& q, std::uint32_t id, double low, double high) {
    return q.first.test_entered<Arithmetic>(q, id, low, high);
  }
};

/// The first candidate of a flight; a miss where there is none.
template <class Arithmetic>
SPHAERA_INLINE Candidate first_impact(const SceneState& state, const exact::Flight& flight,
                                      const Passing& passing, const SphereFilter& sphere_filter,
                                      const QueryOptions& options, QueryStats& stats) {
  if (sees_nothing(state, options) || !(flight.path.t_min <= flight.path.t_max)) return {};
  FirstImpact walk(state, flight, flight.radius, visit_of<FirstImpact, index::PathWalk, Arithmetic>(),
                   passing, sphere_filter);
  if (goes_as_ray(state, flight))
    walk_scene<Arithmetic, FirstImpact, index::PathWalk>(state, options, walk,
                                                         &index::SceneIndex::nearest_first);
  else
    walk_scene<Arithmetic, FirstImpact, index::FlightWalk>(state, options, walk,
                                                           &index::SceneIndex::earliest_first);
  count(walk, stats);
  return walk.first.candidate();
}

}  // namespace sphaera::query
