#pragma once
/// \file Bullets that ricochet between walls and people.

#include <sphaera/ray.hpp>
#include <vector>

#include "world.hpp"

namespace level {

struct Leg {
  sphaera::Vec3 from, to;
  Part end = Part::nothing;  ///< what the leg ends on; nothing: the bullet is lost
  std::int64_t sphere = -1;  ///< the sphere that the leg ends on; −1: none
};

/// The legs of a bullet that starts at `from` in the direction `toward` (of length 1): mirrored at the
/// triangle's normal or at the sphere's, up to `bounces` times.
std::vector<Leg> shoot(const World& world, const sphaera::Vec3& from, const sphaera::Vec3& toward,
                       int bounces);

}  // namespace level
