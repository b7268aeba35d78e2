#pragma once
/// \file Cones as a frame sees them: the box of an observer and a star's ball, or, for a star infinitely
/// far, a cone without end. In scaled float units, conservative by proof.
///
/// The cone has its apex X at t = 0 of its axis X + tD, half-angle α and, where it ends, a ball of radius R =
/// |D| sin α about t = 1. A sphere (c, r) is of interest only if it touches the box, which lies
///  - within the infinite cone: with s along the axis and h across it, h cos α − s sin α ≤ r (the left side
///    is the distance from a tangent plane's half-space, the least there is);
///  - between balls about the ends of the axis within the frame, P0 and P1, as large as the cone is there:
///  from
///    P0 on −(base + r) ≤ s ≤ |P1 − P0| (1 + sin α) + base + r. (Not from the apex, which may be so far away
///    that its distance is too rough.)
/// A box is touched at a point x only if some ball of the box, about A(t) with radius t|D| sin α, holds x.
/// Then t|D| ≤ x·d + t|D| sin α, so that its radius is at most g = k·max(x·d), k = sin α / (1 − sin α), and
/// A(t) lies in the box grown by g: the walk of rays with boxes that grow.
///
/// **Errors**, in w of the scaled units, for cones that grow by up to G within the frame, m = max(1, G): then
/// coordinates are ≤ 2m, differences ≤ 4m, and all errors are in proportion to m. For m = 1 axis points are
/// off by 6w, the unit direction by 2w a component (8w of a product with ≤ 4).
///  - Spheres: a dot product by 3 more roundings of ≤ 4 an axis: s by 30w, h by 50w; base and the rest of
///    the sums by 8w, cos α by 2w of h; sin α ≤ 1/2; a leaf block's sphere by 3w (leaf_block.hpp). Together
///    50 + 30/2 + 8 + 8 + 3 = 84w.
///  - Boxes: (x − origin)·d by 24w (direction), 3.5w (origin·d), 6w (products, where steps are not fused),
///    sums of ≤ 5.5, 6.3, 6.9: 53w, of which k ≤ 1 times is the margin's, and 12w for its own factors,
///    products and sums. A plane, as a distance, by 2w (origin·inverse), 2w (product, not fused), 4w
///    (inverse), 4w (difference), the margin by 2w (inverse, product), their sum by 5w: 19w. With the axis
///    53 + 12 + 19 + 6 = 90w.
///
/// A slack of 128w·m covers both.

#include <cmath>
#include <index/layout/bvh.hpp>

namespace sphaera::index {

/// A cone in world units.
struct Cone {
  exact::Path axis;  ///< apex at t = 0; to t = 1, or without end
  Vec3 direction;    ///< along it, of length 1
  double length;     ///< |D|; where it is denormal no more than its size is of interest
  double sine;       ///< of the half-angle, ≥ 0

  double margin() const { return sine / (1 - sine); }
  /// Beyond it (30°) everything is a candidate.
  static constexpr double widest = 0.5;
};

inline constexpr float cone_slack = 128 * 0x1p-24f;  ///< for m = 1

/// A cone in a frame.
struct LocalCone {
  NodeRay ray;                     ///< its axis, where boxes grown by `margin` are met
  std::array<float, 3> direction;  ///< along the axis, of length 1
  std::array<float, 3> size;       ///< |inverse|
  float sine, cosine;
  float base;       ///< the cone's radius about the ray's origin, measured across: s0 |D| sin α
  float last;       ///< the end of s, from the ray's origin, but for r
  float margin;     ///< k
  float at_origin;  ///< −origin·d
  float grown;      ///< what a box grows by at the ray's origin
  float slack;
  float most;  ///< the most that a box grows, ∞ if without end

  /// `m` is that of the slack.
  SPHAERA_INLINE LocalCone(const Cone& cone, const LocalRay& axis, double scale, double m)
      : ray(axis),
        sine(static_cast<float>(cone.sine)),
        cosine(std::sqrt(1 - sine * sine)),
        base(static_cast<float>(axis.s0 * cone.length * scale * cone.sine)),
        margin(static_cast<float>(cone.margin())),
        grown(base * (1 + margin)),
        slack(cone_slack * static_cast<float>(m)),
        most(cone.sine > 0 ? static_cast<float>(cone.axis.t_max * cone.length * scale * cone.sine) : 0) {
    const auto& [x, y, z, zero] = axis.direction;
    last = std::sqrt(x * x + y * y + z * z) * (1 + sine) + base;
    double along = 0;
    for (int i = 0; i < 3; ++i) {
      const auto axis_i = static_cast<std::size_t>(i);
      direction[axis_i] = static_cast<float>(cone.direction[i]);
      size[axis_i] = __builtin_fabsf(ray.inverse[axis_i]);
      along -= static_cast<double>(ray.origin[axis_i]) * static_cast<double>(direction[axis_i]);
    }
    at_origin = static_cast<float>(along);
  }
};

/// The boxes that the cone may touch.
template <class Arithmetic>
SPHAERA_INLINE LaneSet touched(const BvhNode& node, const LocalCone& cone) {
  const NodeRay& ray = cone.ray;
  LeafLanes along, factor, shift;  // of each box's farthest corner
  set_all<Arithmetic>(along, cone.at_origin);
  for (std::size_t i = 0; i < 3; ++i) {
    LeafLanes far = ray.far_plane(node, i);
    set_all<Arithmetic>(factor, cone.direction[i]);
    multiply_add<Arithmetic>(far, factor, along);
    along = far;
  }
  set_all<Arithmetic>(factor, cone.margin);
  set_all<Arithmetic>(shift, cone.grown);
  LeafLanes grown = along, most, slack;
  multiply_add<Arithmetic>(grown, factor, shift);
  set_all<Arithmetic>(most, cone.most);
  set_all<Arithmetic>(slack, cone.slack);
  grown = grown > LeafLanes{} ? grown : LeafLanes{};
  grown = grown < most ? grown : most;
  grown += slack;
  LeafLanes enter{}, leave;
  set_all<Arithmetic>(leave, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    LeafLanes inverse, start, size, first = ray.near_plane(node, i), last = ray.far_plane(node, i);
    set_all<Arithmetic>(inverse, ray.inverse[i]);
    set_all<Arithmetic>(start, ray.start[i]);
    set_all<Arithmetic>(size, cone.size[i]);
    multiply_add<Arithmetic>(first, inverse, start);
    multiply_add<Arithmetic>(last, inverse, start);
    size *= grown;
    first -= size, last += size;
    enter = first > enter ? first : enter;
    leave = last < leave ? last : leave;
  }
  return set_of<Arithmetic>(enter <= leave);
}

/// The spheres of a leaf block that the cone may touch.
template <class Arithmetic>
SPHAERA_INLINE LaneSet touched(const LeafBlock& leaf, const LocalCone& cone) {
  const auto& d = cone.direction;
  const LeafLanes x = lanes(leaf.x) - cone.ray.origin[0], y = lanes(leaf.y) - cone.ray.origin[1],
                  z = lanes(leaf.z) - cone.ray.origin[2], r = lanes(leaf.radius) + cone.slack;
  const LeafLanes s = x * d[0] + y * d[1] + z * d[2];
  const LeafLanes ax = x - s * d[0], ay = y - s * d[1], az = z - s * d[2];
  const LeafLanes limit = r + cone.base + s * cone.sine;
  const LeafMask across =
      (limit >= LeafLanes{}) & ((ax * ax + ay * ay + az * az) * (cone.cosine * cone.cosine) <= limit * limit);
  return set_of<Arithmetic>(across & (s + r >= LeafLanes{} - cone.base) & (s - r <= LeafLanes{} + cone.last));
}

}  // namespace sphaera::index
