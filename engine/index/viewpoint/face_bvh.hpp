#pragma once
/// \file One face of a star's index: leaves of up to eight balls in eight-wide nodes of rectangles times
/// ranges of W.

#include <base/huge_array.hpp>
#include <functional>
#include <index/boxes/aabb.hpp>
#include <index/tree/bvh.hpp>
#include <index/tree/walk.hpp>
#include <index/viewpoint/face_projection.hpp>
#include <index/viewpoint/star_cone.hpp>

namespace sphaera::index {

/// What a face's tree is built from.
struct FacePlan {
  std::uint32_t face;
  const FaceProjection& projection;
  std::span<const Sphere> spheres;
};

class FaceBvh {
 public:
  FaceBvh() = default;
  /// Builds in the calling arena. `boxes` makes the `count` boxes by which the balls in the face are grouped,
  /// with the ids of their spheres.
  FaceBvh(Device& device, const FacePlan& plan, const FaceFrame& frame, std::size_t count,
          const std::function<base::HugeArray<SphereBox>()>& boxes, const ProgressRange& progress);

  bool empty() const { return ids_.size() == 0; }
  const FaceFrame& frame() const { return frame_; }
  /// Visits leaves on the way in no particular order until a visit returns stop.
  void any(PathWalk& walk, const ViewpointWay& way) const;
  /// Visits leaves on the way in the order of its path, as long as their spheres can be entered by t_limit.
  void in_order(PathWalk& walk, ViewpointWay& way) const;

  /// Visits leaves that the cone may touch, in no particular order; false if a visit returned stop.
  /// Precondition: the cone does not miss the face.
  bool in_cone(ConeWalk& walk, const StarCone& cone) const;

  /// Boxes that a random way through the face's bounds meets, on average, if it passes all depths.
  double boxes() const;

 private:
  struct Fit;

  double areas_below(BvhRef ref) const;

  template <Heading heading>
  void walk_in_order(PathWalk& walk, ViewpointWay& way) const;

  FaceFrame frame_;
  base::HugeArray<LeafIds> ids_;
  base::HugeArray<FaceLeaf> leaves_;
  Bvh bvh_;
};

}  // namespace sphaera::index
