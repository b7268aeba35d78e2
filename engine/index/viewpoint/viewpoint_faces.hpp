#pragma once
/// \file A star's own index: finds the spheres on ways that end, or begin, in one point, or have the
/// direction of a star at infinity. Such ways are parallel to an axis in the coordinates of a cube's faces
/// about the point (cube_face.hpp), or of space sheared along the direction (shear.hpp), so a walk meets few
/// boxes besides those of the spheres on the way. It finds candidates and decides nothing.

#include <index/boxes/sphere_set.hpp>
#include <index/device/device.hpp>
#include <index/viewpoint/face_bvh.hpp>

namespace sphaera::index {

class ViewpointFaces {
 public:
  /// Builds in the calling arena, for the spheres at time 0. The index keeps no reference to their array.
  /// Tests pass a smaller share of the inflation to see spheres lost.
  ViewpointFaces(const Viewpoint& star, const SphereSubset& members, const BuildControl& control,
                 double inflation_share = 1);
  ViewpointFaces(const ViewpointFaces&) = delete;

  const Viewpoint& place() const { return place_; }
  std::uint64_t bytes() const { return bytes_; }
  /// Boxes that a random way meets, on average over the faces, weighted by their numbers of balls.
  double boxes() const { return boxes_; }

  /// Visit leaf blocks on a path that ends or begins at the star, as SceneIndex does. False, and nothing was
  /// visited, if the path does not end or begin there, if its numbers are too large or small, or if it begins
  /// too far away to go to a star at infinity.
  bool any(PathWalk& walk) const;
  bool nearest_first(PathWalk& walk) const;
  /// Visits leaf blocks that the hull of an observer and the star may touch, a sphere possibly several times;
  /// false, and nothing was visited, if the observer is too near to the star or too far away, or the star at
  /// infinity is too large. `radius`: of a ball about the point; at infinity the sine of the angular radius.
  /// Does not use the walk's cone.
  bool in_cone(ConeWalk& walk, const Vec3& observer, double radius) const;

 private:
  bool put_line(PathWalk& walk, ViewpointLine& line) const;
  bool in_cone_to_point(ConeWalk& walk, const Vec3& observer, double radius) const;
  bool in_parallel_cone(ConeWalk& walk, const Vec3& observer, double sine) const;

  Viewpoint place_;
  FaceProjection projection_;
  std::array<FaceBvh, cube_faces> faces_;
  std::uint64_t bytes_ = 0;
  double boxes_ = 0, nearest_ = infinity;  // nearest_: the least depth of a ball in its face
};

}  // namespace sphaera::index
