#pragma once
/// \file Walks through the scene's index for one query: the first sphere, the first that filters let
/// through, any sphere.

#include <bridge/lane.hpp>
#include <query/batch/first_candidate.hpp>
#include <query/batch/scene_walk.hpp>

namespace sphaera::bridge {

/// What the walks share. `Walk` is the class derived from it.
template <class Walk, class Spheres>
struct WalkOf : Spheres::Walk, LaneFilter {
  const Spheres& spheres_at;
  exact::Counts counts;

  template <class Arithmetic>
  WalkOf(Arithmetic, const query::SceneState& state, const LaneQuery& lane_query, const Spheres& s)
      : Spheres::Walk(s.walk(query::visit_of<Walk, index::PathWalk, Arithmetic>())),
        LaneFilter(state, lane_query),
        spheres_at(s) {}

  template <class Arithmetic>
  SPHAERA_INLINE Candidate candidate(Arithmetic arithmetic, std::uint32_t id) {
    if (!admits(id)) return {};
    return {arithmetic, spheres_at.pair(arithmetic, id), id, counts};
  }
};

template <class Spheres>
struct FirstWalk : WalkOf<FirstWalk<Spheres>, Spheres> {
  using WalkOf<FirstWalk, Spheres>::WalkOf;
  query::Earliest first;

  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test(FirstWalk& q, std::uint32_t id) {
    return q.first.template test<Arithmetic>(q, id);
  }
  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test_entered(FirstWalk& q, std::uint32_t id, double low,
                                                             double high) {
    return q.first.template test_entered<Arithmetic>(q, id, low, high);
  }
  SPHAERA_INLINE bool enters(std::uint32_t id) const { return this->admits(id); }
  SPHAERA_INLINE bool earlier(const Candidate& a, const Candidate& b) {
    return query::earlier(this->spheres_at, a, b, this->counts);
  }
};

/// The ray's best hit so far: with another object, or with a sphere of this scene.
struct BestHit {
  double wall = infinity;  ///< tfar of a hit with another object: a sphere must be met before it
  bool taken = false;      ///< the ray has taken a crossing of a sphere of this scene: `crossing`
  EntryOrExit crossing;
};

/// Is the crossing before the ray's best hit? Two entries compare exactly; if one is an exit, t in double
/// decides, then the id.
template <class Spheres>
bool wins(const Spheres& spheres, const EntryOrExit& crossing, const BestHit& best, exact::Counts& counts) {
  if (best.taken) {
    const EntryOrExit& taken = best.crossing;
    if (!crossing.exit && !taken.exit) return earlier(spheres, crossing.candidate, taken.candidate, counts);
    return crossing.t() != taken.t() ? crossing.t() < taken.t() : crossing.hit.sphere < taken.hit.sphere;
  }
  return compare_with(spheres, crossing, best.wall, counts) < 0 || best.wall == infinity;
}

/// Offers a sphere's entry, unless the ray was `shown` it before, then its exit. True if the ray took one.
template <class Lane, class Spheres>
bool offer_sphere(const Lane& lane, const Spheres& spheres, const Candidate& candidate, bool shown,
                  BestHit& best, exact::Counts& counts) {
  EntryOrExit crossing = entry_of(spheres, candidate);
  const auto taken = [&] {
    if (!lane.offer(spheres, crossing, counts)) return false;
    best.taken = true, best.crossing = crossing;
    return true;
  };
  if (!wins(spheres, crossing, best, counts)) return false;  // nor would its exit
  if (!shown && taken()) return true;
  if (!leaves(spheres, candidate.sphere, counts)) return false;
  crossing.exit = true;
  return wins(spheres, crossing, best, counts) && taken();
}

/// A walk that offers each sphere that it meets to the filters. `Walk` is the class derived from it and has
/// `offer`.
template <class Walk, class Lane, class Spheres>
struct OfferingWalk : WalkOf<Walk, Spheres> {
  using WalkOf<Walk, Spheres>::WalkOf;
  const Lane* lane = nullptr;
  BestHit best;

  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test(Walk& q, std::uint32_t id) {
    const Candidate found = q.candidate(Arithmetic{}, id);
    if (found.contact == Contact::miss) return index::TraversalControl::go_on;
    return q.offer(found);
  }
};

/// The first crossing that the filters let through. Filters see a crossing if no better one has been taken
/// yet.
template <class Spheres>
struct FilteredWalk : OfferingWalk<FilteredWalk<Spheres>, HitLane, Spheres> {
  using OfferingWalk<FilteredWalk, HitLane, Spheres>::OfferingWalk;
  std::uint32_t shown = index::no_sphere;  ///< the filters have rejected this sphere's entry

  index::TraversalControl offer(const Candidate& found) {
    if (!offer_sphere(*this->lane, this->spheres_at, found, found.sphere == shown, this->best, this->counts))
      return index::TraversalControl::go_on;
    const double t = this->best.crossing.t();  // off by an ulp
    this->t_limit = std::nextafter(std::nextafter(t, infinity), infinity);
    return index::TraversalControl::limit_reduced;
  }
};

/// Any sphere, not filtered.
template <class Spheres>
struct AnyWalk : WalkOf<AnyWalk<Spheres>, Spheres> {
  using WalkOf<AnyWalk, Spheres>::WalkOf;
  bool found = false;

  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test(AnyWalk& q, std::uint32_t id) {
    if (!q.admits(id)) return index::TraversalControl::go_on;
    const auto pair = q.spheres_at.pair(Arithmetic{}, id);
    q.found = exact::FilteredPredicate<Arithmetic, const decltype(pair)&>(pair, q.counts).meets();
    return q.found ? index::TraversalControl::stop : index::TraversalControl::go_on;
  }
  /// Accepts a sphere that is hit for certain.
  SPHAERA_INLINE bool accept_hit(std::uint32_t id) { return found = this->admits(id); }
};

/// Any crossing that the filters let through.
template <class Spheres>
struct AnyFilteredWalk : OfferingWalk<AnyFilteredWalk<Spheres>, ShadowLane, Spheres> {
  using OfferingWalk<AnyFilteredWalk, ShadowLane, Spheres>::OfferingWalk;

  index::TraversalControl offer(const Candidate& found) {
    return offer_sphere(*this->lane, this->spheres_at, found, false, this->best, this->counts)
               ? index::TraversalControl::stop
               : index::TraversalControl::go_on;
  }
};

}  // namespace sphaera::bridge
