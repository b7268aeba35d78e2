#pragma once
/// \file Walks through the scene's index for one query: the first sphere, the first that filters let
/// through, any sphere.

#include <bridge/lane.hpp>
#include <query/path/path_walks.hpp>

namespace sphaera::bridge {

/// The first sphere, and any sphere, not filtered.
template <class Spheres>
using FirstWalk = query::FirstAlong<Spheres, LaneFilter>;
template <class Spheres>
using AnyWalk = query::AnyAlong<Spheres, LaneFilter>;

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

/// Was the ray shown a sphere's entry before?
enum class Entry : std::uint8_t { unseen, shown };

/// Offers a sphere's entry, unless the ray was shown it before, then its exit. True if the ray took one.
template <class Lane, class Spheres>
bool offer_sphere(const Lane& lane, const Spheres& spheres, const Candidate& candidate, Entry entry,
                  BestHit& best, exact::Counts& counts) {
  EntryOrExit crossing = entry_of(spheres, candidate);
  const auto taken = [&] {
    if (!lane.offer(spheres, crossing, counts)) return false;
    best.taken = true, best.crossing = crossing;
    return true;
  };
  if (!wins(spheres, crossing, best, counts)) return false;  // nor would its exit
  if (entry == Entry::unseen && taken()) return true;
  if (!leaves(spheres, candidate.sphere, counts)) return false;
  crossing.exit = true;
  return wins(spheres, crossing, best, counts) && taken();
}

/// A walk that offers each sphere that it meets to the filters. `Walk` is the class derived from it and has
/// `offer`.
template <class Walk, class Lane, class Spheres>
struct OfferingWalk : query::WalkAlong<Spheres, LaneFilter> {
  using query::WalkAlong<Spheres, LaneFilter>::WalkAlong;
  const Lane* lane = nullptr;
  BestHit best;

  template <class Arithmetic>
  SPHAERA_INLINE index::TraversalControl test(std::uint32_t id) {
    const Candidate found = this->candidate(Arithmetic{}, id);
    if (found.contact == Contact::miss) return index::TraversalControl::go_on;
    return static_cast<Walk*>(this)->offer(found);
  }
};

/// The first crossing that the filters let through. Filters see a crossing if no better one has been taken
/// yet.
template <class Spheres>
struct FilteredWalk : OfferingWalk<FilteredWalk<Spheres>, HitLane, Spheres> {
  using OfferingWalk<FilteredWalk, HitLane, Spheres>::OfferingWalk;
  std::uint32_t shown = index::no_sphere;  ///< the filters have rejected this sphere's entry

  index::TraversalControl offer(const Candidate& found) {
    const Entry entry = found.sphere == shown ? Entry::shown : Entry::unseen;
    if (!offer_sphere(*this->lane, this->scene_path, found, entry, this->best, this->counts))
      return index::TraversalControl::go_on;
    const double t = this->best.crossing.t();  // off by an ulp
    this->t_limit = std::nextafter(std::nextafter(t, infinity), infinity);
    return index::TraversalControl::limit_reduced;
  }
};

/// Any crossing that the filters let through.
template <class Spheres>
struct AnyFilteredWalk : OfferingWalk<AnyFilteredWalk<Spheres>, ShadowLane, Spheres> {
  using OfferingWalk<AnyFilteredWalk, ShadowLane, Spheres>::OfferingWalk;

  index::TraversalControl offer(const Candidate& found) {
    return offer_sphere(*this->lane, this->scene_path, found, Entry::unseen, this->best, this->counts)
               ? index::TraversalControl::stop
               : index::TraversalControl::go_on;
  }
};

}  // namespace sphaera::bridge
