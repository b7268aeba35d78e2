#pragma once
/// \file Cones from an observer to the ball of a star, or to the disc of a star at infinity, as a face of the
/// star's index sees them: growing in proportion to W from the observer on (proofs.md, sections 4 and 5).

#include <algorithm>
#include <index/viewpoint/face_leaf.hpp>

namespace sphaera::index {

/// How a cone meets one face.
enum class FaceCone : std::uint8_t {
  misses,     ///< it meets no ball there
  near_star,  ///< only balls near the star can matter: those with W ≥ w_low, depth ≤ far
  grows,      ///< balls within `growth`·(W − w_low) of (u, v)
};

struct StarCone {
  FaceCone kind = FaceCone::misses;
  ViewpointWay axis;        ///< where the cone grows
  float w_low = 0;          ///< a lower bound of W
  float near = 0, far = 0;  ///< bounds of depth, rounded
  float growth = 0;         ///< local units of u and v per unit of W
  float slack = 0;          ///< of u and v
  float square_cosine = 1;  ///< of the cone's half-angle
  float per_scale = 1;      ///< 1 / the frame's scale
  /// At depth z on the axis the cone's radius is radius · (first_share + z · share_rate), in local units of
  /// depth.
  float radius = 0, first_share = 1, share_rate = 0;

  /// To a point. `x`: the observer's position relative to the star, turned to the face.
  StarCone(const FaceFrame& frame, const Vec3& x, double star_radius, std::uint32_t face);
  /// To a star at infinity. `x`: the observer's image; `sine`: of the star's angular radius, at most
  /// `widest_sine`.
  StarCone(const FaceFrame& frame, const Shear& shear, const Vec3& x, double sine);

 private:
  void set_nearer_than(double depth);  ///< in local units
  /// `x`: the observer's U and V. `spread`: the growth of U and V by W, in units of the face and of depth.
  void set_growth(const FaceFrame& frame, const ViewpointLine& x, double spread);
};

/// Observers nearer to the star than this many of its radii, along the face's axis, are not looked up.
inline constexpr double nearest_observer = 4;
/// Largest |U| and |V| of an observer from which the cone of a face `grows`. Beyond, only balls near the star
/// matter.
inline constexpr double farthest_slope = 2;
/// Wider cones to a star at infinity, of a greater sine, are not looked up.
inline constexpr double widest_sine = 0.25;
/// If all balls lie deeper in their faces than this many star radii, a cone misses the faces that look far
/// away from the observer (proofs.md, section 4).
inline constexpr double reach_share = 4.5;
/// Error of the closest point's depth, as a share of the observer's depth; at infinity in local units.
inline constexpr float closest_slack = 64 * 0x1p-24f;

/// The balls of a leaf that the cone may touch. Precondition: it does not miss the face.
template <class Arithmetic>
SPHAERA_INLINE LaneSet touched(const FaceLeaf& leaf, const StarCone& cone) {
  if (cone.kind == FaceCone::near_star) {
    const LeafLanes half = lanes(leaf.depth) * (lanes(leaf.radius) * cone.per_scale);
    const LeafMask beyond = (lanes(leaf.depth) - half) * (1 - depth_share) > LeafLanes{} + cone.far;
    return lanes_of<Arithmetic>(~beyond &
                                (lanes(leaf.radius) == lanes(leaf.radius)));  // NOLINT: false for NaN
  }
  const ViewpointWay& way = cone.axis;
  const DiscDistances seen(Arithmetic{}, leaf, way);
  LeafLanes closest;
  seen.put_closest(leaf, way, closest);
  const LeafLanes share = cone.first_share + closest * cone.share_rate + closest_slack;
  const LeafLanes limit =
      (lanes(leaf.radius) + cone.radius / seen.unit * share) * (1 + 2 * disc_share) + 2 * way.slack;
  const LeafLanes nearer = seen.near * (1 - depth_share), farther = seen.far * (1 + depth_share);
  const LeafMask outside = (nearer > LeafLanes{} + cone.far) | (farther < LeafLanes{} + cone.near) |
                           (limit < LeafLanes{}) |
                           (seen.square * (cone.square_cosine) > limit * limit * way.square);
  return lanes_of<Arithmetic>(~outside &
                              (lanes(leaf.radius) == lanes(leaf.radius)));  // NOLINT: false for NaN
}

}  // namespace sphaera::index
