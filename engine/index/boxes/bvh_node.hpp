#pragma once
/// \file Eight-wide nodes: the boxes of eight children, in lanes, and their tests against rays and points.
///
/// ../proofs.md, section 1, shows that rays lose no box.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <index/boxes/frame.hpp>
#include <index/boxes/leaf_block.hpp>
#include <limits>
#include <span>

namespace sphaera::index {

/// A child of a node: another node or a primitive.
class BvhRef {
 public:
  BvhRef() = default;
  static BvhRef node(std::uint32_t i) { return BvhRef(i); }
  static BvhRef primitive(std::uint32_t i) { return BvhRef(i | primitive_bit); }

  bool is_primitive() const { return bits_ & primitive_bit; }
  std::uint32_t index() const { return bits_ & ~primitive_bit; }

  /// Marks primitives. Also the limit on the number of primitives, and of nodes.
  static constexpr std::uint32_t primitive_bit = 0x80000000;

 private:
  explicit BvhRef(std::uint32_t bits) : bits_(bits) {}

  std::uint32_t bits_;
};

/// A node of eight boxes. Children come in descending order of opacity, the share of a box's area that
/// spheres fill, so that an any-hit walk finds its blocker sooner. Empty lanes come last and have lower = ∞,
/// upper = −∞.
struct alignas(32) BvhNode {
  static constexpr std::uint32_t width = 8;
  using Plane = std::array<float, width>;

  std::array<std::array<Plane, 2>, 3> planes;  ///< per axis: lower, upper
  std::array<BvhRef, width> children;

  BvhNode();
  void set(std::size_t lane, const LocalBox& box);
  LocalBox box(std::size_t lane) const {
    return {{planes[0][0][lane], planes[1][0][lane], planes[2][0][lane]},
            {planes[0][1][lane], planes[1][1][lane], planes[2][1][lane]}};
  }
  /// Number of children.
  std::size_t size() const {
    std::size_t n = 0;
    while (n < width && planes[0][0][n] <= planes[0][1][n]) ++n;
    return n;
  }
};

/// The empty box, of a leaf block without spheres. Its union with another box is that box.
inline LocalBox empty_box() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  return {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
}
inline bool is_empty(const LocalBox& b) { return !(b.lower[0] <= b.upper[0]); }
inline LocalBox united(const LocalBox& a, const LocalBox& b) {
  LocalBox all;
  for (std::size_t i = 0; i < 3; ++i)
    all.lower[i] = std::min(a.lower[i], b.lower[i]), all.upper[i] = std::max(a.upper[i], b.upper[i]);
  return all;
}
/// Have the boxes a point in common?
inline bool touch(const LocalBox& a, const LocalBox& b) {
  bool all = true;
  for (std::size_t i = 0; i < 3; ++i) all &= a.lower[i] <= b.upper[i] && b.lower[i] <= a.upper[i];
  return all;
}
/// A node's box for a child without spheres: a point of `all`, the box of the other children. A box of
/// spheres is never a point: inflation makes it longer than 0 along the frame's longest axis, or `bounded`
/// does where the spheres may lie beyond the frame.
inline LocalBox point_within(const LocalBox& all) {
  if (is_empty(all)) return {};
  return {all.lower, all.lower};
}
inline bool is_point(const LocalBox& b) { return b.lower == b.upper; }

/// Half of the area of a box that is not empty.
inline float half_area(const LocalBox& b) {
  const float x = b.upper[0] - b.lower[0], y = b.upper[1] - b.lower[1], z = b.upper[2] - b.lower[2];
  return x * y + y * z + z * x;
}

/// The box of spheres that may lie so far beyond a frame that its floats overflow, or are coarser than the
/// spheres and the inflation: finite, no NaN, which would mark an empty lane, and no point, which would mark
/// a child without spheres. The frame is fitted to such spheres before it is walked.
inline LocalBox bounded(const LocalBox& box) {
  constexpr float most = 0x1p30f;
  bool within = true;
  for (std::size_t i = 0; i < 3; ++i) within &= box.lower[i] >= -most && box.upper[i] <= most;
  if (!within) return {{-most, -most, -most}, {most, most, most}};
  if (!is_point(box)) return box;
  return {box.lower,
          {std::nextafter(box.upper[0], std::numeric_limits<float>::infinity()), box.upper[1], box.upper[2]}};
}

/// The box around a node's children; empty if none of them holds a sphere.
inline LocalBox box_of(const BvhNode& node) {
  LocalBox all = empty_box();
  for (std::size_t lane = 0; lane < node.size(); ++lane)
    if (const LocalBox box = node.box(lane); !is_point(box)) all = united(all, box);
  return all;
}

/// A ray prepared for box tests.
struct NodeRay {
  std::array<float, 3> origin, inverse, start;  ///< start = −origin·inverse
  std::array<std::size_t, 3> near;  ///< per axis: byte offset of the plane that the ray meets first

  /// Directions are kept this far from 0. This is conservative: ../proofs.md, section 1.
  static constexpr float least_direction = 1e-18f;

  NodeRay() = default;
  SPHAERA_INLINE explicit NodeRay(const LocalRay& r) { set(r); }
  /// Sets all members in place. A temporary NodeRay is copied through memory, and the copy waits for its
  /// stores (../decisions.md).
  SPHAERA_INLINE void set(const LocalRay& r) {
    for (std::size_t i = 0; i < 3; ++i) {
      const float d = r.direction[i], size = __builtin_fabsf(d);
      origin[i] = r.origin[i];
      inverse[i] = 1 / __builtin_copysignf(size > least_direction ? size : least_direction, d);
      start[i] = -origin[i] * inverse[i];
      near[i] = sizeof(BvhNode::Plane) * (2 * i + (std::bit_cast<std::uint32_t>(d) >> 31));
    }
  }

  /// The planes of a node's boxes across an axis: near_plane is nearer along the ray, far_plane is
  /// farther.
  SPHAERA_INLINE const LeafLanes& near_plane(const BvhNode& node, std::size_t axis) const {
    return plane(node, near[axis]);
  }
  SPHAERA_INLINE const LeafLanes& far_plane(const BvhNode& node, std::size_t axis) const {
    return plane(node, near[axis] ^ sizeof(BvhNode::Plane));
  }
  /// −origin·inverse, for near planes and for far planes.
  SPHAERA_INLINE float to_near(std::size_t axis) const { return start[axis]; }
  SPHAERA_INLINE float to_far(std::size_t axis) const { return start[axis]; }

 private:
  SPHAERA_INLINE static const LeafLanes& plane(const BvhNode& node, std::size_t at) {
    return *reinterpret_cast<const LeafLanes*>(reinterpret_cast<const char*>(&node) + at);
  }
};

/// A ray against boxes enlarged by `margin` on all sides: near and far planes are seen from origins of their
/// own. Error bound: ../proofs.md, section 1.
struct ThickNodeRay : NodeRay {
  std::array<float, 3> near_start, far_start;

  ThickNodeRay() = default;
  SPHAERA_INLINE ThickNodeRay(const LocalRay& r, double margin) : NodeRay(r) { set_margin(margin); }
  SPHAERA_INLINE void set_margin(double margin) {
    for (std::size_t i = 0; i < 3; ++i) {
      const float step = __builtin_copysignf(grown(margin), inverse[i]);
      near_start[i] = -(origin[i] + step) * inverse[i];
      far_start[i] = -(origin[i] - step) * inverse[i];
    }
  }
  SPHAERA_INLINE static float grown(double margin) { return static_cast<float>(margin * (1 + 0x1p-19)); }
  SPHAERA_INLINE float to_near(std::size_t axis) const { return near_start[axis]; }
  SPHAERA_INLINE float to_far(std::size_t axis) const { return far_start[axis]; }
};

/// The boxes that a ray enters by τ = tfar, and their entries.
template <class Arithmetic, class Ray>
SPHAERA_INLINE LaneSet entered(const BvhNode& node, const Ray& ray, float tfar, LeafLanes& enter) {
  LeafLanes leave;
  set_all<Arithmetic>(leave, tfar);
  enter = LeafLanes{};
  for (std::size_t i = 0; i < 3; ++i) {
    LeafLanes inverse, to_near, to_far, first = ray.near_plane(node, i), last = ray.far_plane(node, i);
    set_all<Arithmetic>(inverse, ray.inverse[i]);
    set_all<Arithmetic>(to_near, ray.to_near(i));
    set_all<Arithmetic>(to_far, ray.to_far(i));
    multiply_add<Arithmetic>(first, inverse, to_near);
    multiply_add<Arithmetic>(last, inverse, to_far);
    enter = first > enter ? first : enter;
    leave = last < leave ? last : leave;
  }
  return lanes_of<Arithmetic>(enter <= leave);
}

/// Lanes of up to eight nodes: bit width·i + lane is that lane of node i.
using TopLanes = std::uint64_t;
static_assert(BvhNode::width * BvhNode::width <= 64);
template <class LanesOfNode>
SPHAERA_INLINE TopLanes top_lanes(std::span<const BvhNode> nodes, const LanesOfNode& lanes_of_node) {
  TopLanes lanes = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) lanes |= TopLanes{lanes_of_node(i)} << BvhNode::width * i;
  return lanes;
}

/// The boxes of all these nodes that a ray enters by τ = tfar; enter[i] are the entries of node i.
template <class Arithmetic, class Ray>
SPHAERA_INLINE TopLanes entered(std::span<const BvhNode> nodes, const Ray& ray, float tfar,
                                LeafLanes* enter) {
  return top_lanes(nodes, [&](std::size_t i) SPHAERA_INLINE_LAMBDA {
    return entered<Arithmetic>(nodes[i], ray, tfar, enter[i]);
  });
}

/// The boxes that have a point in common with `box`.
template <class Arithmetic>
SPHAERA_INLINE LaneSet touching(const BvhNode& node, const LocalBox& box) {
  LeafMask both = LeafMask{} - 1;
  for (std::size_t i = 0; i < 3; ++i)
    both &= (lanes(node.planes[i][0]) <= box.upper[i]) & (lanes(node.planes[i][1]) >= box.lower[i]);
  return lanes_of<Arithmetic>(both);
}

/// The boxes within a distance of a point, and the squares of their distances. `max_square` is the distance
/// squared, finite.
template <class Arithmetic>
SPHAERA_INLINE LaneSet within(const BvhNode& node, const std::array<float, 3>& point, float max_square,
                              LeafLanes& squares) {
  squares = LeafLanes{};
  for (std::size_t i = 0; i < 3; ++i) {
    const LeafLanes below = lanes(node.planes[i][0]) - point[i], above = point[i] - lanes(node.planes[i][1]);
    LeafLanes gap = below > above ? below : above;
    gap = gap > LeafLanes{} ? gap : LeafLanes{};
    squares += gap * gap;
  }
  return lanes_of<Arithmetic>(squares <= max_square);
}

}  // namespace sphaera::index
