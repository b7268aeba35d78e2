#pragma once
/// \file Caps of the unit sphere and the points in which their circles cross, with 70 digits.

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <span>
#include <sphaera/sphere.hpp>
#include <tests/oracle/dyadic.hpp>
#include <vector>

namespace sphaera::oracle {

using Long = bmp::number<bmp::backends::cpp_bin_float<70, bmp::backends::digit_base_10, void, std::int32_t>,
                         bmp::et_off>;
using Direction = std::array<Long, 3>;

inline Long dot(const Direction& a, const Direction& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Direction cross(const Direction& a, const Direction& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Direction scaled(const Long& s, const Direction& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Direction operator+(const Direction& a, const Direction& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Long length(const Direction& a) { return sqrt(dot(a, a)); }
inline Direction unit(const Direction& a) { return scaled(1 / length(a), a); }
inline Long angle(const Direction& a, const Direction& b) { return atan2(length(cross(a, b)), dot(a, b)); }
inline Direction from(const Vec3& x, const Vec3& y) {
  return {Long(y.x) - Long(x.x), Long(y.y) - Long(x.y), Long(y.z) - Long(x.z)};
}
/// A unit vector across a unit vector.
inline Direction across(const Direction& a) {
  return unit(cross(abs(a[0]) < 0.6 ? Direction{1, 0, 0} : Direction{0, 1, 0}, a));
}

/// The unit vectors w with w·axis ≥ cosine; |axis| = 1.
struct Cap {
  Direction axis;
  Long cosine;
};

inline Long radius(const Cap& cap) { return atan2(sqrt((1 - cap.cosine) * (1 + cap.cosine)), cap.cosine); }

/// The directions in which a ball hides the sky: |to_center| > radius.
Cap disc(const Direction& to_center, double radius);

/// The common points of two circles: none, or two, which may be equal.
std::vector<Direction> common_points(const Cap& first, const Cap& second);

/// Caps of one sphere; caps of less than 1e-30 sr are left out.
struct Caps {
  std::vector<Cap> list;
  bool all = false;  ///< nothing is open, whatever the list says

  /// Adds the cap about an axis of any length.
  void add(const Direction& axis, const Long& cosine);
};

/// What balls hide of the sky of a point; a ball that has the point, on its surface or inside, hides all.
/// With a normal, the half below the plane across it is hidden, too. Only the first `within` of each
/// direction counts: a ball hides a direction if it meets the segment of that length.
Caps caps_of_sky(const Vec3& point, std::span<const Sphere> balls, const Vec3* normal = nullptr,
                 double within = HUGE_VAL);

/// The parts of a sphere, grown by a probe, that lie in other spheres, grown by it, too. An equal sphere has
/// all of it.
Caps caps_on(const Sphere& sphere, double probe, std::span<const Sphere> others);

}  // namespace sphaera::oracle
