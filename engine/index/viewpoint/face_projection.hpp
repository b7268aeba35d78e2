#pragma once
/// \file Balls as the faces of a star's index see them: six faces about a point, one for a star at infinity.

#include <index/viewpoint/face_frame.hpp>
#include <index/viewpoint/shear.hpp>
#include <index/viewpoint/viewpoint.hpp>

namespace sphaera::index {

class FaceProjection {
 public:
  /// `members`: at least one sphere.
  FaceProjection(const Viewpoint& place, const SphereSubset& members) : place_(place) {
    if (place.at_infinity()) shear_ = Shear(place.at(), members);
  }

  Projection kind() const { return place_.at_infinity() ? Projection::parallel : Projection::perspective; }
  const Shear& shear() const { return shear_; }  ///< of a star at infinity

  /// Calls visit(face, image) for every face that sees the ball.
  template <class Visit>
  SPHAERA_INLINE void each_image(const Sphere& sphere, const Visit& visit) const {
    if (place_.at_infinity()) {
      visit(0, image(0, sphere));
    } else {
      index::each_image(sphere.center - place_.at(), sphere.radius, visit);
    }
  }
  /// The image on a face that sees the ball.
  SPHAERA_INLINE BallImage image(std::uint32_t face, const Sphere& sphere) const {
    BallImage image{};
    if (place_.at_infinity()) {
      shear_.put_image(sphere, image);
    } else {
      put_image(turned(face, sphere.center - place_.at()), sphere.radius, image);
    }
    return image;
  }

 private:
  Viewpoint place_;
  Shear shear_;
};

}  // namespace sphaera::index
