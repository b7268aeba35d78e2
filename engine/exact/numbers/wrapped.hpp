#pragma once
/// \file Places in a periodic box.

#include <exact/numbers/arithmetic.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::exact {

/// Is lower ≤ x < lower + edge, exactly? Always for an edge of 0: there is no period.
inline bool lies_in_period(double x, double lower, double edge) {
  const auto [hi, lo] = two_diff(x, lower);
  return edge == 0 || (x >= lower && (hi < edge || (hi == edge && lo < 0)));
}

/// x moved by whole periods into [lower, lower + edge). It is the double nearest to the exact place there,
/// ties to even, or `lower` where that double lies at the upper end or beyond: either way at most half an ulp
/// of the exact place, up to a period. Unchanged if it lies there. |x|, |lower|, edge ≤ 2^200.
double wrapped(double x, double lower, double edge);
inline Vec3 wrapped(const Vec3& x, const Vec3& lower, const Vec3& edges) {
  return {wrapped(x.x, lower.x, edges.x), wrapped(x.y, lower.y, edges.y), wrapped(x.z, lower.z, edges.z)};
}

}  // namespace sphaera::exact
