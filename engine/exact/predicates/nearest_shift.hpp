#pragma once
/// \file The nearest image of a center in a periodic box: exact, since the difference of two doubles is a sum
/// of two.

#include <exact/numbers/arithmetic.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::exact {

/// Is the exact sum larger? Precondition: hi is the double nearest to the sum.
inline bool exceeds(const TwoDouble& sum, double limit) {
  return sum.hi > limit || (sum.hi == limit && sum.lo > 0);
}

/// The shift of the image of `center` that is nearest to x along one axis, of 0 and ±edge: 0 where
/// |x − center| ≤ edge/2, and for an edge of 0. Precondition: |x − center| ≤ edge.
inline double nearest_shift(double x, double center, double edge) {
  if (edge == 0) return 0;
  const auto [hi, lo] = two_diff(x, center);
  if (exceeds({2 * hi, 2 * lo}, edge)) return edge;
  return exceeds({-2 * hi, -2 * lo}, edge) ? -edge : 0;
}
inline Vec3 nearest_shift(const Vec3& x, const Vec3& center, const Vec3& edges) {
  return {nearest_shift(x.x, center.x, edges.x), nearest_shift(x.y, center.y, edges.y),
          nearest_shift(x.z, center.z, edges.z)};
}

}  // namespace sphaera::exact
