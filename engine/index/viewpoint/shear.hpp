#pragma once
/// \file Space as a star at infinity sees it (proofs.md, section 5): turned so that the greatest component of
/// its direction is z, scaled, and sheared so that ways to it are parallel to the z axis.

#include <index/boxes/sphere_set.hpp>
#include <index/viewpoint/cube_face.hpp>

namespace sphaera::index {

/// Spheres that one parallel task takes.
inline constexpr std::size_t spheres_per_task = 1 << 14;

class Shear {
 public:
  Shear() = default;
  /// For these spheres, at least one. `direction`: towards the star, finite and not zero.
  Shear(const Vec3& direction, const SphereSubset& members);

  /// U, V and the depth of a point, which grows towards the star.
  SPHAERA_INLINE Vec3 image(const Vec3& point) const {
    const Vec3 p = scale_ * turned(face_, point - origin_);
    return {p.x - slope_u_ * p.z, p.y - slope_v_ * p.z, p.z + depth_of_origin};
  }
  SPHAERA_INLINE void put_image(const Sphere& sphere, BallImage& image) const {
    const Vec3 c = this->image(sphere.center);
    const double r = scale_ * sphere.radius;
    image = {{c.x - r * stretch_u_, c.y - r * stretch_v_},
             {c.x + r * stretch_u_, c.y + r * stretch_v_},
             c.z - r,
             c.z + r,
             c.x,
             c.y,
             c.z,
             r};
  }
  /// Is the point with this image so near that the errors of its U, V and depth are no greater than those of
  /// spheres?
  SPHAERA_INLINE bool resolves(const Vec3& image) const {
    return (std::fabs(image.x) <= farthest) & (std::fabs(image.y) <= farthest) &
           (std::fabs(image.z) <= farthest);
  }

  double slope_u() const { return slope_u_; }  ///< of the star's direction: x/z
  double slope_v() const { return slope_v_; }  ///< y/z
  /// Depth that a path with the star's direction gains from t to t + 1.
  double depth_rate(const Vec3& direction) const { return scale_ * turned(face_, direction).z; }

  /// Depth of origin_. Balls lie within 1 of it, so their depths are 3 to 5, and the relative error of a
  /// depth is at most a third of its absolute error.
  static constexpr double depth_of_origin = 4;
  /// Largest |U|, |V| and depth of a way's origin: the error of the way's U and V grows with them.
  static constexpr double farthest = 8;

 private:
  Vec3 origin_{};
  std::uint32_t face_ = 0;
  double scale_ = 1;  ///< a power of two
  double slope_u_ = 0, slope_v_ = 0;
  double stretch_u_ = 1, stretch_v_ = 1;  ///< half-width of a ball's image along U and V ÷ its radius
};

}  // namespace sphaera::index
