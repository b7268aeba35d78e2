#pragma once
/// \file What a walk along a path looks for among the spheres: any one, the first, all.

#include <exact/predicates/filtered_predicate.hpp>
#include <query/batch/leaf_visit.hpp>
#include <query/batch/sort_by_bounds.hpp>
#include <query/batch/sphere_filter.hpp>
#include <query/path/scene_path.hpp>
#include <vector>

namespace sphaera::query {

/// How a path meets a sphere; a miss if it does not. `pair`: the two (exact/predicates).
template <class Arithmetic, class Pair>
SPHAERA_INLINE Candidate candidate_of(Arithmetic, const Pair& pair, std::uint32_t id, exact::Counts& counts) {
  Candidate met;
  met.sphere = id;
  const exact::FilteredPredicate<Arithmetic, const Pair&> predicate(pair, counts);
  if (predicate.delta.value < -predicate.delta.error) return met;
  const exact::filter::RootEstimates estimates = predicate.root_estimates();
  met.contact = predicate.contact(estimates);
  if (met.contact == Contact::starts_inside) {
    met.entry_low = met.entry_high = pair.path.t_min;
  } else if (estimates.error < infinity) {  // otherwise, also for NaN, the bounds stay infinite
    met.entry_low = estimates.t1 - estimates.error, met.entry_high = estimates.t1 + estimates.error;
  }
  return met;
}

/// What all walks along a path share. `Path` says how the path meets a sphere (scene_path.hpp), `Filter`
/// which spheres count: it has admits(id), and accepts(id), which is called only for a sphere that would
/// count otherwise.
template <class Path, class Filter = SphereFilter>
struct WalkAlong : Path::Walk, Filter {
  using ScenePath = Path;
  Path scene_path;
  exact::Counts counts;

  template <class... FilterArguments>
  WalkAlong(const Path& p, const index::Callbacks<index::PathWalk>& query, const FilterArguments&... filter)
      : Path::Walk(p.path(), query), Filter(filter...), scene_path(p) {
    p.set(*this);
  }

  /// May the sphere count if the path enters it?
  SPHAERA_INLINE bool enters(std::uint32_t id) const {
    return this->admits(id) && !scene_path.passes_over(id);
  }
  template <class Arithmetic>
  SPHAERA_INLINE Candidate candidate(Arithmetic arithmetic, std::uint32_t id) {
    if (!enters(id)) return {};
    const auto pair = scene_path.pair(arithmetic, id);
    Candidate met = candidate_of(arithmetic, pair, id, counts);
    if (!scene_path.hits(pair, met, counts)) met.contact = Contact::miss;
    return met;
  }
};

/// Any sphere that the path meets.
template <class ScenePath, class Filter = SphereFilter>
struct AnyAlong : WalkAlong<ScenePath, Filter> {
  using WalkAlong<ScenePath, Filter>::WalkAlong;
  static constexpr auto order = index::VisitOrder::any;
  std::uint32_t found = index::no_sphere;

  template <class Arithmetic>
  SPHAERA_INLINE index::TraversalControl test(std::uint32_t id) {
    if (!this->admits(id)) return index::TraversalControl::go_on;
    const auto pair = this->scene_path.pair(Arithmetic{}, id);
    const exact::FilteredPredicate<Arithmetic, const decltype(pair)&> predicate(pair, this->counts);
    if (!predicate.meets() || !this->accepts(id)) return index::TraversalControl::go_on;
    found = id;
    return index::TraversalControl::stop;
  }
  /// Accepts a sphere that is hit for certain.
  SPHAERA_INLINE bool accept_hit(std::uint32_t id) {
    if (!this->admits(id) || !this->accepts(id)) return false;
    found = id;
    return true;
  }
  /// Equal spheres are hit or missed together; `accept` may tell them apart.
  SPHAERA_INLINE bool settles_equals(std::uint32_t id) const { return !this->accept && this->admits(id); }
};

/// The sphere that the path meets first. Mostly, float bounds separate it from all others, and no sphere is
/// tested in double (../../index/decisions.md).
template <class ScenePath, class Filter = SphereFilter>
struct FirstAlong : WalkAlong<ScenePath, Filter> {
  using WalkAlong<ScenePath, Filter>::WalkAlong;
  static constexpr auto order = index::VisitOrder::nearest_first;
  Candidate first;         ///< the earliest so far; a miss if there is none
  bool by_floats = false;  ///< its bounds come from a leaf block's floats

  template <class Arithmetic>
  SPHAERA_INLINE index::TraversalControl test(std::uint32_t id) {
    const Candidate met = this->candidate(Arithmetic{}, id);
    if (met.contact == Contact::miss) return index::TraversalControl::go_on;
    if (first.contact != Contact::miss) {
      if (by_floats && !(met.entry_high < first.entry_low)) {
        first = this->candidate(Arithmetic{}, first.sphere);
        by_floats = false;
      }
      if (!earlier(this->scene_path, met, first, this->counts)) return index::TraversalControl::go_on;
    }
    if (!this->accepts(id)) return index::TraversalControl::go_on;
    by_floats = false;
    return accept_first(met);
  }
  /// The same for a sphere that the path certainly enters between the times `low` and `high`.
  template <class Arithmetic>
  SPHAERA_INLINE index::TraversalControl test_entered(std::uint32_t id, double low, double high) {
    if (first.contact != Contact::miss && !(high < first.entry_low))
      return first.entry_high < low ? index::TraversalControl::go_on : test<Arithmetic>(id);
    if (!this->enters(id) || !this->accepts(id)) return index::TraversalControl::go_on;
    by_floats = true;
    return accept_first(Candidate(id, low, high));
  }
  /// Of equal spheres the one with the lowest id is hit, unless a bullet passes through it or has touched it,
  /// or `accept` refuses it.
  SPHAERA_INLINE bool settles_equals(std::uint32_t id) const {
    return !this->accept && this->admits(id) && this->scene_path.is_fresh(id);
  }

 private:
  SPHAERA_INLINE index::TraversalControl accept_first(const Candidate& met) {
    first = met;
    this->t_limit = std::min(this->t_limit, met.entry_high);
    return index::TraversalControl::limit_reduced;
  }
};

/// All spheres that the path meets.
template <class ScenePath, class Filter = SphereFilter>
struct AllAlong : WalkAlong<ScenePath, Filter> {
  using WalkAlong<ScenePath, Filter>::WalkAlong;
  static constexpr auto order = index::VisitOrder::any;
  std::vector<Candidate>* found = nullptr;  ///< appended to; set by the caller

  template <class Arithmetic>
  SPHAERA_INLINE index::TraversalControl test(std::uint32_t id) {
    const Candidate met = this->candidate(Arithmetic{}, id);
    if (met.contact != Contact::miss && this->accepts(id)) found->push_back(met);
    return index::TraversalControl::go_on;
  }
  /// Those found, in order of entry.
  std::span<const Candidate> sorted() {
    const auto low = [](const Candidate& c) { return c.entry_low; };
    const auto high = [](const Candidate& c) { return c.entry_high; };
    sort_by_bounds(std::span(*found), low, low, high, [&](const Candidate& a, const Candidate& b) {
      return earlier(this->scene_path, a, b, this->counts);
    });
    return *found;
  }
};

}  // namespace sphaera::query
