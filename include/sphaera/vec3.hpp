#pragma once
/// \file A triple of doubles: a point, a direction or a velocity, in the caller's units. A plain aggregate.
///
/// The operators check nothing and round as the caller's compiler options say. They are always inline:
/// callers may compile with options such as -ffast-math, and the linker must not merge such copies with the
/// library's.

#include <sphaera/config/requirements.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// Three coordinates.
struct Vec3 {
  double x = 0, y = 0, z = 0;

  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
  /// Coordinate of an axis: 0 gives x, 1 gives y, any other value z.
  constexpr double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};

/// Sum and difference: one rounding for each coordinate.
[[gnu::always_inline]] constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[gnu::always_inline]] constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[gnu::always_inline]] constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
/// Product with a number: one rounding for each coordinate.
[[gnu::always_inline]] constexpr Vec3 operator*(double s, const Vec3& a) {
  return {s * a.x, s * a.y, s * a.z};
}
[[gnu::always_inline]] constexpr Vec3 operator*(const Vec3& a, double s) { return s * a; }

/// Scalar product: up to five roundings, no guard against overflow or cancellation.
[[gnu::always_inline]] constexpr double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
/// Vector product, right-handed: up to three roundings for each coordinate, no guard against cancellation.
[[gnu::always_inline]] constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace sphaera::inline SPHAERA_ABI
