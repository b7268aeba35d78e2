#pragma once
/// \file Candidate: a sphere hit by a path, as queries store it until the answer is written.

#include <algorithm>
#include <exact/predicates/path.hpp>
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
};

/// The numbers of a hit, clamped to the range in which the exact decision places them. None is −0.
SPHAERA_INLINE Hit hit_of(const exact::Path& path, std::uint32_t sphere, Contact contact,
                          const exact::Roots& t) {
  const double enter =
      (contact == Contact::starts_inside ? path.t_min : std::clamp(t.t1, path.t_min, path.t_max)) + 0.0;
  return {enter, std::max(t.t2, enter), sphere, contact};
}

}  // namespace sphaera::query
