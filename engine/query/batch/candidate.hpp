#pragma once
/// \file Candidate: a sphere hit by a path, as queries store it until the answer is written.

#include <algorithm>
#include <exact/predicates/decide.hpp>
#include <exact/predicates/filtered_predicate.hpp>
#include <exact/roots/roots.hpp>
#include <sphaera/hit.hpp>

namespace sphaera::query {

/// A sphere that is hit, with bounds of its entry max(t_min, t1).
struct Candidate {
  std::uint32_t sphere = 0;
  Contact contact = Contact::miss;
  double entry_low = -infinity, entry_high = infinity;

  Candidate() = default;
  /// A sphere entered between the times `low` and `high`.
  SPHAERA_INLINE Candidate(std::uint32_t id, double low, double high)
      : sphere(id), contact(Contact::enters), entry_low(low), entry_high(high) {}
  template <class Arithmetic, class Pair>
  SPHAERA_INLINE Candidate(Arithmetic, const Pair& pair, std::uint32_t id, exact::Counts& counts)
      : sphere(id) {
    const exact::FilteredPredicate<Arithmetic, const Pair&> predicate(pair, counts);
    if (predicate.delta.value < -predicate.delta.error) return;
    const exact::filter::RootEstimates estimates = predicate.root_estimates();
    contact = predicate.contact(estimates);
    if (contact == Contact::starts_inside) {
      entry_low = entry_high = pair.path.t_min;
    } else if (estimates.error < infinity) {  // otherwise, also for NaN, the bounds stay infinite
      entry_low = estimates.t1 - estimates.error, entry_high = estimates.t1 + estimates.error;
    }
  }
};

/// The numbers of a hit, clamped to the range in which the exact decision places them. None is −0.
SPHAERA_INLINE Hit hit_of(const exact::Path& path, std::uint32_t sphere, Contact contact,
                          const exact::Roots& t) {
  const double enter =
      (contact == Contact::starts_inside ? path.t_min : std::clamp(t.t1, path.t_min, path.t_max)) + 0.0;
  return {enter, std::max(t.t2, enter), sphere, contact};
}

}  // namespace sphaera::query
