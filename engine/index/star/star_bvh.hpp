#pragma once
/// \file One face of a star's index: leaves of up to eight balls in eight-wide nodes of rectangles times
/// ranges of W.

#include <base/huge_array.hpp>
#include <functional>
#include <index/build/aabb.hpp>
#include <index/layout/bvh.hpp>
#include <index/star/star_cone.hpp>
#include <index/star/star_projection.hpp>
#include <index/walk/walk.hpp>

namespace sphaera::index {

/// What a face's tree is built from.
struct StarPlan {
  std::uint32_t face;
  const StarProjection& projection;
  std::span<const Sphere> spheres;
};

class StarBvh {
 public:
  StarBvh() = default;
  /// Builds in the calling arena. `boxes` makes the `count` boxes by which the balls in the face are grouped,
  /// with the ids of their spheres.
  StarBvh(Device& device, const StarPlan& plan, const StarFrame& frame, std::size_t count,
          const std::function<base::HugeArray<SphereBox>()>& boxes, const ProgressRange& progress);

  bool empty() const { return ids_.size() == 0; }
  const StarFrame& frame() const { return frame_; }
  /// Visits leaves on the way in no particular order until a visit returns stop.
  void any(PathWalk& walk, const StarWay& way) const;
  /// Visits leaves on the way in the order of its path, as long as their spheres can be entered by t_limit.
  void in_order(PathWalk& walk, StarWay& way) const;

  /// Visits leaves that the cone may touch, in no particular order; false if a visit returned stop.
  /// Precondition: the cone does not miss the face.
  bool in_cone(ConeWalk& walk, const StarCone& cone) const;

  /// Boxes that a random way through the face's bounds meets, on average, if it passes all depths.
  double boxes() const;

 private:
  struct Fit;

  double areas_below(BvhRef ref) const;

  template <Heading heading>
  void walk_in_order(PathWalk& walk, StarWay& way) const;

  StarFrame frame_;
  base::HugeArray<LeafIds> ids_;
  base::HugeArray<StarLeaf> leaves_;
  Bvh bvh_;
};

}  // namespace sphaera::index
