#pragma once
/// \file The sky: the share of all directions in which a point sees no sphere.

#include <sphaera/config/requirements.hpp>

#include <cstdint>
#include <limits>
#include <sphaera/vec3.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// A place under the sky. Valid: a finite position within the domain, a finite normal.
struct SkyPoint {
  Vec3 position;
  Vec3
      normal;  ///< of any length: only the half of the sky above the plane across it counts; 0: the whole sky
};

/// The most directions that may be sampled.
inline constexpr std::uint32_t most_sky_rays = std::uint32_t{1} << 24;

struct SkyOptions {
  /// A sphere hides a direction if it meets the segment of this length, in the scene's unit, ≥ 0: it counts
  /// as far as it reaches into the ball of this radius about the point. ∞: all counts.
  double within = std::numeric_limits<double>::infinity();
  /// The answer is exact for at most so many discs, not counting those found to be hidden by others; for more
  /// it comes from sampled directions. The time grows with the square of the number. 0: always sampled.
  std::uint32_t most_discs = 1024;
  /// Directions to sample then, 1 … 2^24.
  std::uint32_t rays = 4096;
};

/// How much of its sky a point sees.
struct SkyShare {
  /// The share of the sky that no sphere hides, by solid angle: of 4π, or of the 2π above the normal. 0 for a
  /// point in a sphere, on its surface or inside.
  double open = 0;
  /// The same share above the normal, weighted by the cosine of the angle to it: what ambient occlusion, the
  /// light of an even sky or the view factor to it asks for. NaN without a normal.
  double open_by_cosine = 0;
  /// Of both shares: 1e-10, or for sampled ones 1/(2√rays), the greatest standard error that random
  /// directions would have.
  double error = 0;
  std::uint32_t discs = 0;  ///< from which the exact answer was computed, or that were too many
  std::uint32_t rays = 0;   ///< sampled directions; 0: the answer is exact

  friend constexpr bool operator==(const SkyShare&, const SkyShare&) = default;
};

}  // namespace sphaera::inline SPHAERA_ABI
