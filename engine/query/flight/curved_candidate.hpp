#pragma once
/// \file Candidate hits of a bullet under gravity.

#include <cstdint>
#include <sphaera/hit.hpp>
#include <vector>

namespace sphaera::query {

/// A candidate hit: one of the at most two intervals of time in which the bullet is inside the sphere, where
/// f(t) ≤ 0 (exact/curves/curve.hpp).
struct CurvedCandidate {
  static constexpr int unknown = -1;

  std::uint32_t sphere;
  Contact contact;
  /// The bullet starts inside, or the entry is f's only root from `low` to `high`, where f changes sign.
  bool simple;
  /// The interval's number among those of the curve, from 0; unknown: the first interval whose entry is not
  /// before `low`.
  int interval;
  double low, high;  ///< bounds of the entry's time; both 0 if the bullet starts inside
};

/// Working memory for the candidates of one leg; the next leg uses it again.
struct CurvedScratch {
  std::vector<CurvedCandidate> found;
  /// Spheres already decided by their exact curves, ascending: later pieces of the flight skip them.
  std::vector<std::uint32_t> decided;
};

}  // namespace sphaera::query
