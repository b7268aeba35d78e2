#pragma once
/// \file Cones from an observer to the ball of a star, as a face of the star's index sees them: growing in
/// proportion to W from the observer on (proofs.md, section 4).

#include <algorithm>
#include <index/star/star_leaf.hpp>
#include <index/walk/cone.hpp>

namespace sphaera::index {

/// How a cone meets one face.
enum class FaceCone : std::uint8_t {
  misses,     ///< it meets no ball there
  near_star,  ///< only balls near the star can matter: those with W ≥ w_low
  grows,      ///< balls within `growth`·(W − w_low) of (u, v)
};

struct StarCone {
  FaceCone kind = FaceCone::misses;
  StarWay axis;         ///< where the cone grows
  float w_low = 0;      ///< a lower bound of W
  float growth = 0;     ///< local units of u and v per unit of W
  float slack = 0;      ///< of u and v
  float radius = 0;     ///< of the star, in local units of depth times the frame's scale
  float per_depth = 0;  ///< 1 / the observer's depth
  float cosine = 1;     ///< of the cone's half-angle

  /// `x`: the observer from the star, turned to the face; R: the star's radius; `farthest`: of the frame's
  /// balls. Tests pass a smaller share of the slacks.
  StarCone(const StarFrame& frame, const Vec3& x, double radius_of_star, const Cone& cone, std::uint32_t face,
           double share = 1);
};

/// Observers nearer to the star than this many of its radii, along the face's axis, are not looked up.
inline constexpr double nearest_observer = 4;
/// A face sees the observer at most this far outside of its square, in U and V from its center.
inline constexpr double farthest_slope = 2;

/// The balls of a leaf that the cone may touch. Precondition: the cone grows, and its axis lies in the face.
template <class Arithmetic>
SPHAERA_INLINE LaneSet touched(const StarLeaf& leaf, const StarCone& cone) {
  const StarWay& way = cone.axis;
  const DiscDistances seen(Arithmetic{}, leaf, way);
  const LeafLanes depth = lanes(leaf.depth), factor = LeafLanes{} + way.per_scale * way.inverse_square;
  const LeafLanes closest = depth * (1 - (seen.du * way.slope_u + seen.dv * way.slope_v) * factor);
  const LeafLanes share = 1 - closest * cone.per_depth + 64 * 0x1p-24f;  // of the cone's radius at the star
  const LeafLanes limit =
      (lanes(leaf.radius) + cone.radius / depth * share) * (1 + 2 * disc_share) + 2 * way.slack;
  const LeafLanes nearer = seen.near * (1 - depth_share);
  const LeafMask outside = (nearer > LeafLanes{} + way.far) | (limit < LeafLanes{}) |
                           (seen.square * (cone.cosine * cone.cosine) > limit * limit * way.square);
  return set_of<Arithmetic>(~outside & (lanes(leaf.radius) == lanes(leaf.radius)));  // NOLINT: false for NaN
}

}  // namespace sphaera::index
