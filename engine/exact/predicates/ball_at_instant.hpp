#pragma once
/// \file A ball as a sphere at an instant sees it.

#include <exact/predicates/at_instant.hpp>
#include <sphaera/ray.hpp>

namespace sphaera::exact {

/// The numbers of the gap: L = ball.center − s at its time, both radii.
inline Relative relative(const Ball& ball, const SphereAtInstant& s) {
  Relative seen = s.relative(ball.center);
  seen.radius[1] = ball.radius;
  return seen;
}

}  // namespace sphaera::exact
