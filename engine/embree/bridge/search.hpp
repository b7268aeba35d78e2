#pragma once
/// \file Walks through the scene's index for one query: the first sphere, the first that filters let
/// through, any sphere.

#include <embree/bridge/lane.hpp>
#include <query/batch/first_candidate.hpp>
#include <query/batch/scene_walk.hpp>

namespace sphaera::bridge {

/// What the walks share. `Walk` is the class derived from it.
template <class Walk, class Spheres>
struct WalkOf : Spheres::Walk, LaneFilter {
  const Spheres& of;
  exact::Counts counts;

  template <class Arithmetic>
  WalkOf(Arithmetic, const query::SceneState& state, const LaneQuery& asked, const Spheres& s)
      : Spheres::Walk(s.walk(query::visit_of<Walk, index::PathWalk, Arithmetic>())),
        LaneFilter(state, asked),
        of(s) {}

  template <class Arithmetic>
  SPHAERA_INLINE Candidate candidate(Arithmetic arithmetic, std::uint32_t id) {
    if (!admits(id)) return {};
    return {arithmetic, of.pair(arithmetic, id), id, counts};
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
    return query::earlier(this->of, a, b, this->counts);
  }
};

/// The ray's best hit so far: with another object, or with a sphere of this scene.
struct MetSoFar {
  double wall = infinity;  ///< tfar of a hit with something else: a sphere must be met before it
  bool taken = false;      ///< the ray has taken a crossing of a sphere of this scene: `best`
  EntryOrExit best;
};

/// Is the crossing before everything that the ray has met? Two entries compare exactly; if one is an exit, t
/// in double decides, then the id.
template <class Spheres>
bool wins(const Spheres& spheres, const EntryOrExit& crossing, const MetSoFar& met, exact::Counts& counts) {
  if (met.taken) {
    const EntryOrExit& best = met.best;
    if (!crossing.exit && !best.exit) return earlier(spheres, crossing.candidate, best.candidate, counts);
    return crossing.t() != best.t() ? crossing.t() < best.t() : crossing.hit.sphere < best.hit.sphere;
  }
  return compare_with(spheres, crossing, met.wall, counts) < 0 || met.wall == infinity;
}

/// Offers a sphere's entry, unless the ray was `shown` it before, then its exit. True if the ray took one.
template <class Lane, class Spheres>
bool offer_sphere(const Lane& lane, const Spheres& spheres, const Candidate& candidate, bool shown,
                  MetSoFar& met, exact::Counts& counts) {
  EntryOrExit crossing = entry_of(spheres, candidate);
  const auto taken = [&] {
    if (!lane.offer(spheres, crossing, counts)) return false;
    met.taken = true, met.best = crossing;
    return true;
  };
  if (!wins(spheres, crossing, met, counts)) return false;  // nor would its exit
  if (!shown && taken()) return true;
  if (!leaves(spheres, candidate.sphere, counts)) return false;
  crossing.exit = true;
  return wins(spheres, crossing, met, counts) && taken();
}

/// The first crossing that the filters let through. Filters see a crossing if no better one has been taken
/// yet.
template <class Spheres>
struct FilteredWalk : WalkOf<FilteredWalk<Spheres>, Spheres> {
  using WalkOf<FilteredWalk, Spheres>::WalkOf;
  const HitLane* lane = nullptr;
  std::uint32_t shown = index::no_sphere;  ///< the filters have rejected this sphere's entry
  MetSoFar met;

  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test(FilteredWalk& q, std::uint32_t id) {
    const Candidate found = q.candidate(Arithmetic{}, id);
    if (found.contact == Contact::miss) return index::TraversalControl::go_on;
    return q.offer(found);
  }
  index::TraversalControl offer(const Candidate& found) {
    if (!offer_sphere(*lane, this->of, found, found.sphere == shown, met, this->counts))
      return index::TraversalControl::go_on;
    const double t = met.best.t();  // off by an ulp
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
    const auto pair = q.of.pair(Arithmetic{}, id);
    q.found = exact::FilteredPredicate<Arithmetic, const decltype(pair)&>(pair, q.counts).meets();
    return q.found ? index::TraversalControl::stop : index::TraversalControl::go_on;
  }
  /// Accepts a sphere that is hit for certain.
  SPHAERA_INLINE bool take(std::uint32_t id) { return found = this->admits(id); }
};

/// Any crossing that the filters let through.
template <class Spheres>
struct AnyFilteredWalk : WalkOf<AnyFilteredWalk<Spheres>, Spheres> {
  using WalkOf<AnyFilteredWalk, Spheres>::WalkOf;
  const ShadowLane* lane = nullptr;
  MetSoFar met;

  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test(AnyFilteredWalk& q, std::uint32_t id) {
    const Candidate found = q.candidate(Arithmetic{}, id);
    if (found.contact == Contact::miss) return index::TraversalControl::go_on;
    return q.offer(found);
  }
  index::TraversalControl offer(const Candidate& found) {
    return offer_sphere(*lane, this->of, found, false, met, this->counts) ? index::TraversalControl::stop
                                                                          : index::TraversalControl::go_on;
  }
};

}  // namespace sphaera::bridge
