#pragma once
/// \file Balls as the faces of a star's index see them: six faces about a point, one for a star at infinity.

#include <index/star/shear.hpp>
#include <index/star/star_frame.hpp>
#include <index/star/star_place.hpp>

namespace sphaera::index {

class StarProjection {
 public:
  /// `members`: at least one sphere.
  StarProjection(const StarPlace& place, const SphereSubset& members) : place_(place) {
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
  StarPlace place_;
  Shear shear_;
};

}  // namespace sphaera::index
