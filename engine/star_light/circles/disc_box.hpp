#pragma once
/// \file Bounding boxes of discs in the plane of sky_circle.hpp, to find the discs that may overlap on the
/// star.

#include <algorithm>
#include <exact/numbers/arithmetic.hpp>
#include <star_light/circles/sky_circle.hpp>

namespace sphaera::star_light {

/// Bounds of the part of the star that a body's disc covers.
struct DiscBox {
  double left = -1, right = 1, bottom = -1, top = 1;

  bool meets_upright(const DiscBox& other) const { return bottom <= other.top && other.bottom <= top; }
};

/// Box of a disc. For a disc more than twice the star's size the box is the whole star, because the center is
/// too far away to keep its digits. Otherwise n (|n| ≤ 1) is off by 5u, 1/κ ≤ 2 by 20u and e by 3u, so the
/// center (n + 1/κ)e is off by 37u, and each side by 64u.
inline DiscBox disc_box(const SkyCircle& circle) {
  if (!(circle.curvature >= 0.5)) return {};
  const double radius = 1 / circle.curvature, reach = radius + 64 * exact::u;
  const Vec2 center = (circle.near_edge + radius) * circle.toward;
  return {std::max(center.x - reach, -1.0), std::min(center.x + reach, 1.0), std::max(center.y - reach, -1.0),
          std::min(center.y + reach, 1.0)};
}

}  // namespace sphaera::star_light
