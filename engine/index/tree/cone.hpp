#pragma once
/// \file Cones in a frame: the convex hull of an observer and a star's ball, or an infinite cone for a star
/// infinitely far away. All in scaled float units. The tests are conservative (../proofs.md, section 8).
///
/// The apex is at t = 0 of the axis X + tD, the half-angle is α. A cone is walked like a ray, with boxes that
/// grow along the axis. Symbols below are those of the proof.

#include <cmath>
#include <index/tree/bvh.hpp>

namespace sphaera::index {

/// A cone in world units.
struct Cone {
  exact::Path axis;  ///< apex at t = 0; the axis ends at t = 1 or is infinite
  Vec3 direction;    ///< of the axis, with length 1
  double length;     ///< |D|; where it is denormal, only its order of magnitude matters
  double sine;       ///< of the half-angle, ≥ 0

  double margin() const { return sine / (1 - sine); }
  /// Largest sine that is filtered (30°). For a wider cone every sphere is a candidate.
  static constexpr double widest = 0.5;
};

inline constexpr float cone_slack = 128 * 0x1p-24f;  ///< for m = 1; proofs.md, section 8

/// A cone in a frame.
struct LocalCone {
  NodeRay ray;                     ///< the cone's axis, tested against boxes enlarged by `margin`
  std::array<float, 3> direction;  ///< of the axis, with length 1
  std::array<float, 3> size;       ///< |inverse|
  float sine, cosine;
  float base;              ///< the cone's radius about the ray's origin, across the axis: s0 |D| sin α
  float last;              ///< the upper end of s, from the ray's origin, without r
  float margin;            ///< k
  float along_at_origin;   ///< −origin·d
  float growth_at_origin;  ///< of a box
  float slack;
  float max_growth;  ///< of a box; ∞ for an infinite cone

  /// `m` is the factor of the slack (proofs.md, section 8).
  SPHAERA_INLINE LocalCone(const Cone& cone, const LocalRay& axis, double scale, double m)
      : ray(axis),
        sine(static_cast<float>(cone.sine)),
        cosine(std::sqrt(1 - sine * sine)),
        base(static_cast<float>(axis.s0 * cone.length * scale * cone.sine)),
        margin(static_cast<float>(cone.margin())),
        growth_at_origin(base * (1 + margin)),
        slack(cone_slack * static_cast<float>(m)),
        max_growth(cone.sine > 0 ? static_cast<float>(cone.axis.t_max * cone.length * scale * cone.sine)
                                 : 0) {
    const auto& [x, y, z, zero] = axis.direction;
    last = std::sqrt(x * x + y * y + z * z) * (1 + sine) + base;
    double along = 0;
    for (int i = 0; i < 3; ++i) {
      const auto axis_i = static_cast<std::size_t>(i);
      direction[axis_i] = static_cast<float>(cone.direction[i]);
      size[axis_i] = __builtin_fabsf(ray.inverse[axis_i]);
      along -= static_cast<double>(ray.origin[axis_i]) * static_cast<double>(direction[axis_i]);
    }
    along_at_origin = static_cast<float>(along);
  }
};

/// The boxes that the cone may touch.
template <class Arithmetic>
SPHAERA_INLINE LaneSet touched(const BvhNode& node, const LocalCone& cone) {
  const NodeRay& ray = cone.ray;
  LeafLanes along, factor, shift;  // along: of each box's farthest corner
  set_all<Arithmetic>(along, cone.along_at_origin);
  for (std::size_t i = 0; i < 3; ++i) {
    LeafLanes far = ray.far_plane(node, i);
    set_all<Arithmetic>(factor, cone.direction[i]);
    multiply_add<Arithmetic>(far, factor, along);
    along = far;
  }
  set_all<Arithmetic>(factor, cone.margin);
  set_all<Arithmetic>(shift, cone.growth_at_origin);
  LeafLanes growth = along, max_growth, slack;
  multiply_add<Arithmetic>(growth, factor, shift);
  set_all<Arithmetic>(max_growth, cone.max_growth);
  set_all<Arithmetic>(slack, cone.slack);
  growth = growth > LeafLanes{} ? growth : LeafLanes{};
  growth = growth < max_growth ? growth : max_growth;
  growth += slack;
  LeafLanes enter{}, leave;
  set_all<Arithmetic>(leave, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    LeafLanes inverse, start, size, first = ray.near_plane(node, i), last = ray.far_plane(node, i);
    set_all<Arithmetic>(inverse, ray.inverse[i]);
    set_all<Arithmetic>(start, ray.start[i]);
    set_all<Arithmetic>(size, cone.size[i]);
    multiply_add<Arithmetic>(first, inverse, start);
    multiply_add<Arithmetic>(last, inverse, start);
    size *= growth;
    first -= size, last += size;
    enter = first > enter ? first : enter;
    leave = last < leave ? last : leave;
  }
  return lanes_of<Arithmetic>(enter <= leave);
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
  return lanes_of<Arithmetic>(across & (s + r >= LeafLanes{} - cone.base) &
                              (s - r <= LeafLanes{} + cone.last));
}

}  // namespace sphaera::index
