#pragma once
/// \file A sphere that a bullet hits under gravity.

#include <cstdint>
#include <sphaera/hit.hpp>
#include <vector>

namespace sphaera::query {

/// An interval in which a bullet is inside a ball, from its entry on.
struct CurvedCandidate {
  static constexpr int unknown = -1;

  std::uint32_t sphere;
  Contact contact;
  bool simple;   ///< f's only root from `low` to `high` is the entry, a change of sign; or it starts inside
  int interval;  ///< its number among all inside intervals; unknown: the first not before `low`
  double low, high;  ///< bounds of the entry; before `low`, f has been positive since a known time
};

/// Candidates of one leg and ids, used again for the next leg.
struct CurvedScratch {
  std::vector<CurvedCandidate> found;
  std::vector<std::uint32_t> decided;  ///< spheres of which all intervals are among `found`, ascending
};

}  // namespace sphaera::query
