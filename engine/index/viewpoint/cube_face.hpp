#pragma once
/// \file The six faces of a cube about a star, and balls as they see them (proofs.md, section 1).
///
/// A face turns space so that z is its axis and maps a point to (U, V, W) = (x/z, y/z, 1/z). Ways to the star
/// become parallel to the W axis, and a ball becomes a rectangle times an interval of W.

#include <array>
#include <cmath>
#include <cstdint>
#include <exact/numbers/arithmetic.hpp>
#include <limits>
#include <sphaera/vec3.hpp>

namespace sphaera::index {

inline constexpr std::uint32_t cube_faces = 6;

/// A vector as a face sees it. Faces 2i and 2i + 1 look along axis i and against it.
SPHAERA_INLINE Vec3 turned(std::uint32_t face, const Vec3& v) {
  const Vec3 cycled = face < 2 ? Vec3{v.y, v.z, v.x} : face < 4 ? Vec3{v.z, v.x, v.y} : v;
  return {cycled.x, cycled.y, face & 1 ? -cycled.z : cycled.z};
}

/// The face with the direction of v.
SPHAERA_INLINE std::uint32_t face_of(const Vec3& v) {
  const double x = std::fabs(v.x), y = std::fabs(v.y), z = std::fabs(v.z);
  const std::uint32_t axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const double along = axis == 0 ? v.x : axis == 1 ? v.y : v.z;
  return 2 * axis + (along < 0 ? 1 : 0);
}

/// A ball on a face: U and V of its tangent planes, about a point cut to the face's square, and the depths of
/// its points.
struct BallImage {
  std::array<double, 2> lower, upper;  ///< U and V
  double near, far;                    ///< bounds of z
  /// Center and radius on the face: U, V, z and r/z, or r for a star at infinity; a NaN depth and an infinite
  /// radius for a ball that comes so near to a point that it counts as covering the whole square.
  double u, v, depth, radius;
};

/// Errors of U and V of a ball's bounds and of a way, in all: proofs.md, sections 1 and 5.
inline constexpr double image_error = 128 * exact::u;

namespace cube {

/// Relative slack of the tests that tell which faces a ball meets.
inline constexpr double face_slack = 0x1p-40;
inline constexpr double root_of_two = 1.4142136;  ///< rounded up
/// Nearer to the star than this, products underflow.
inline constexpr double least_depth = 0x1p-250;

/// The tangents' U along one axis: x of the center, its z, r, and (z − r)(z + r).
SPHAERA_INLINE void put_tangents(double x, double z, double r, double product, double& lower, double& upper) {
  const double root = r * std::sqrt(x * x + product), middle = x * z;
  lower = (middle - root) / product, upper = (middle + root) / product;
}

}  // namespace cube

/// Does the ball with center c, turned to the face, meet the face's pyramid |x|, |y| ≤ z? Sets its image
/// then. Never false for a ball that does, true for some that do not.
SPHAERA_INLINE bool put_image(const Vec3& c, double r, BallImage& image) {
  using namespace cube;
  const double x = std::fabs(c.x), y = std::fabs(c.y), slack = face_slack * (x + y + std::fabs(c.z) + r);
  const double most = c.z + root_of_two * r + slack;
  if (x > most || y > most || c.z + r < -slack) return false;
  image.lower = {-1, -1}, image.upper = {1, 1};
  image.far = std::max(c.z + r + slack, 0.0);
  if (!(c.z >= 2 * r) || c.z < least_depth) {
    image.near = image.u = image.v = 0;
    image.depth = std::numeric_limits<double>::quiet_NaN();
    image.radius = std::numeric_limits<double>::infinity();
    return true;
  }
  const double product = (c.z - r) * (c.z + r);
  put_tangents(c.x, c.z, r, product, image.lower[0], image.upper[0]);
  put_tangents(c.y, c.z, r, product, image.lower[1], image.upper[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    if (image.lower[i] > 1 + face_slack || image.upper[i] < -1 - face_slack) return false;
    image.lower[i] = std::clamp(image.lower[i], -1.0, 1.0),
    image.upper[i] = std::clamp(image.upper[i], -1.0, 1.0);
  }
  image.near = c.z - r;
  const double inverse = 1 / c.z;
  image.u = c.x * inverse, image.v = c.y * inverse, image.depth = c.z, image.radius = r * inverse;
  return true;
}

/// Calls visit(face, image) for every face whose pyramid the ball about c, relative to the star, meets: one
/// for most balls, up to six.
template <class Visit>
SPHAERA_INLINE void each_image(const Vec3& c, double r, const Visit& visit) {
  const std::uint32_t main = face_of(c);
  const Vec3 own = turned(main, c);
  BallImage image{};
  const double aside = std::max(std::fabs(own.x), std::fabs(own.y));
  if (own.z - aside > (cube::root_of_two + cube::face_slack) * r + 4 * cube::face_slack * own.z) {
    if (put_image(own, r, image)) visit(main, image);
    return;
  }
  for (std::uint32_t face = 0; face < cube_faces; ++face)
    if (put_image(turned(face, c), r, image)) visit(face, image);
}

/// A power of two ≤ 1/size and ≥ 1/(2 size), at most `most`.
inline double scale_for(double size, double most) {
  if (!(size * most > 1)) return most;
  int exponent;
  static_cast<void>(std::frexp(size, &exponent));  // size ≤ 2^exponent
  return std::ldexp(1.0, -exponent);
}

}  // namespace sphaera::index
