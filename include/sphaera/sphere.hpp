#pragma once
/// \file A sphere; all queries treat it as a closed ball: a touch counts.

#include <sphaera/config/requirements.hpp>

#include <sphaera/vec3.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// Center and radius in one unit of length (meters by convention). Valid: finite, radius > 0,
/// |coordinates| and radius ≤ `domain_limit`.
struct Sphere {
  Vec3 center;
  double radius = 0;

  friend constexpr bool operator==(const Sphere&, const Sphere&) = default;
};

/// Largest valid magnitude of a coordinate or radius: 2^200 ≈ 1.6e60. It keeps all intermediate values of a
/// decision below overflow.
inline constexpr double domain_limit = 0x1p200;

}  // namespace sphaera::inline SPHAERA_ABI
