#pragma once
/// \file A bullet that hits a stationary sphere and bounces off.
///
/// Source: Bartlett, "Bullet hitting a stationary sphere" (1999): mirror reflection at equal speed, no
/// gravity, no spin. A tangent is a hit. A start on the surface is allowed, a start strictly inside is an
/// error. The code follows the article's text: the article's listing stores the center's x in sz, and so
/// tests another sphere, and its printed quadratic has wrong signs.

#include <sphaera/config/requirements.hpp>

#include <optional>
#include <sphaera/config/export.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// A bullet at its start. `aim` only gives the direction: the path continues beyond it. Valid: finite points
/// within `domain_limit`, from ≠ aim, speed > 0 and finite.
struct Shot {
  Vec3 from;
  Vec3 aim;
  double speed = 0;  ///< length per unit of the caller's time (frame, second, …)
};

/// The hit of a shot, and the velocity after it.
struct Ricochet {
  Vec3 point;        ///< the hit: off by ≤ u·|point| + 2^-78·(|from| + radius), u = 2^-53
  Vec3 normal;       ///< outward unit normal at the hit, good to 2u
  double angle = 0;  ///< between path and tangent plane, radians: 0 grazing … π/2 head on; 2 ulp, also near 0
  Vec3 velocity;  ///< velocity after the hit, mirrored at the tangent plane, good to 2u·speed; length: 1 ulp
  double distance = 0;  ///< from `from` to the hit, 1 ulp
  double time = 0;      ///< distance / speed, rounded once, in the caller's unit of time
};

/// The hit, or nullopt if the bullet misses. Throws Error(invalid_argument) for a shot or sphere outside its
/// documented range (speed ≤ 0, radius ≤ 0, from = aim, …), or if `from` lies strictly inside the sphere.
SPHAERA_API std::optional<Ricochet> ricochet(const Shot& shot, const Sphere& sphere);

}  // namespace sphaera::inline SPHAERA_ABI
