#pragma once
/// \file Up to eight balls of a face as discs, and a float filter over all lanes that never rejects wrongly
/// (proofs.md, section 3).

#include <index/boxes/leaf_filter.hpp>
#include <index/viewpoint/viewpoint_way.hpp>

namespace sphaera::index {

/// Centers (U, V) and radii r/z, or r for a star at infinity, in local units of the face's frame, and depths
/// z. Empty lanes have a NaN radius, balls that cover the whole square an infinite one and a NaN depth.
struct alignas(64) FaceLeaf {
  std::array<float, leaf_block_size> u{}, v{}, depth{}, radius;

  FaceLeaf() { radius.fill(std::numeric_limits<float>::quiet_NaN()); }
  void set(std::uint32_t lane, const BallImage& image, const FaceFrame& frame) {
    u[lane] = static_cast<float>(frame.local_u(image.u));
    v[lane] = static_cast<float>(frame.local_v(image.v));
    depth[lane] = static_cast<float>(image.depth * frame.depth_scale());
    radius[lane] = static_cast<float>(image.radius * frame.scale());
    if (depth[lane] < least_depth) depth[lane] = std::numeric_limits<float>::quiet_NaN();
  }

  /// Smaller depths may be denormal after division by the frame's scale and Q (proofs.md, section 3).
  static constexpr float least_depth = 0x1p-80f;
};

/// Relative error of a disc's radius, and of depths, with room: proofs.md, section 3.
inline constexpr float disc_share = 32 * 0x1p-24f, depth_share = 32 * 0x1p-24f;

/// A way seen from the discs of a leaf.
struct DiscDistances {
  LeafLanes du, dv;  ///< from the disc's center to the way
  LeafLanes square;  ///< squared distance of the line from the center, in the unit of radii, times way.square
  LeafLanes unit;    ///< depth per unit of a disc's radius: z/s, or k/s at infinity (proofs.md, section 5)
  LeafLanes near, far;  ///< depths between which the ball lies

  template <class Arithmetic>
  SPHAERA_INLINE DiscDistances(Arithmetic, const FaceLeaf& leaf, const ViewpointWay& way) {
    LeafLanes factor;
    set_all<Arithmetic>(factor, way.u);
    du = factor - lanes(leaf.u);
    set_all<Arithmetic>(factor, way.v);
    dv = factor - lanes(leaf.v);
    const LeafLanes across = way.slope_u * dv - way.slope_v * du;
    square = across * across;
    LeafLanes one = dv;
    multiply_add<Arithmetic>(one, dv, square);
    square = du;
    multiply_add<Arithmetic>(square, du, one);
    unit = lanes(leaf.depth) * way.unit_per_depth + way.unit;
    const LeafLanes half = unit * lanes(leaf.radius);
    near = lanes(leaf.depth) - half, far = lanes(leaf.depth) + half;
  }
  /// Depths of the line's points that are closest to the centers.
  SPHAERA_INLINE void put_closest(const FaceLeaf& leaf, const ViewpointWay& way, LeafLanes& closest) const {
    closest = lanes(leaf.depth) - (du * way.slope_u + dv * way.slope_v) * (unit * way.inverse_square);
  }
};

/// The balls that the way may touch, and those that it touches for certain.
template <class Arithmetic>
SPHAERA_INLINE LaneHits touched(const FaceLeaf& leaf, const ViewpointWay& way, const DiscDistances& seen) {
  const LeafLanes r = lanes(leaf.radius), outer = r * (1 + disc_share) + way.slack,
                  inner = r * (1 - disc_share) - way.slack;
  const LeafLanes farther = seen.far * (1 + depth_share), nearer = seen.near * (1 - depth_share);
  const LeafMask outside = (nearer > LeafLanes{} + way.far) | (farther < LeafLanes{} + way.near);
  const LaneSet maybe = lanes_of<Arithmetic>((seen.square <= outer * outer * way.square) & ~outside);
  if (maybe == 0) return {0, 0, 0};
  const LeafMask within = (farther <= LeafLanes{} + way.far) & (nearer >= LeafLanes{} + way.near);
  const LeafMask certain = (inner >= LeafLanes{}) & (seen.square <= inner * inner * way.square) & within;
  return {maybe, maybe & lanes_of<Arithmetic>(certain), 0};
}

/// Bounds of where the way enters the balls that it touches for certain: of τ, which is t on a way towards a
/// point, and else the depth.
template <class Arithmetic>
SPHAERA_INLINE void put_entries(const FaceLeaf& leaf, const ViewpointWay& way, const DiscDistances& seen,
                                LeafEntries& entries) {
  const LeafLanes r = lanes(leaf.radius), zero{};
  const LeafLanes error = r * (2 * disc_share) + way.slack, reach = (r + r + error) * error * way.square;
  const LeafLanes inside = r * r * way.square - seen.square;
  LeafLanes most = inside + reach, least = inside - reach;
  least = least > zero ? least : zero;
  take_roots<Arithmetic>(most), take_roots<Arithmetic>(least);
  LeafLanes closest;
  seen.put_closest(leaf, way, closest);
  const LeafLanes factor = seen.unit * way.inverse_square, outer = most * factor, inner = least * factor;
  const LeafLanes spare = lanes(leaf.depth) * depth_share;
  LeafLanes low, high;
  if (way.heading != Heading::towards) {
    low = closest - outer - spare, high = closest - inner + spare;
  } else {
    low = 1 - (closest + outer + spare) * way.per_depth - depth_share;
    high = 1 - (closest + inner - spare) * way.per_depth + depth_share;
  }
  std::memcpy(&entries.low, &low, sizeof low);
  std::memcpy(&entries.high, &high, sizeof high);
}

}  // namespace sphaera::index
