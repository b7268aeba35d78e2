#include <cmath>
#include <query/neighbors/periodic_box.hpp>

namespace sphaera::query {

using exact::u;

/// Each coordinate is off by u of itself; twice that covers the roundings of the sum.
PeriodicBox::Images PeriodicBox::images(const Vec3& x, const Vec3& shift) const {
  const Vec3 point = x - shift;
  return {shift, point, 2 * u * (std::fabs(point.x) + std::fabs(point.y) + std::fabs(point.z))};
}

/// A point is within an edge of all centers, so that its coordinate, too, is at most as large as the sum
/// here.
void PeriodicBox::prepare(const CenterBounds& bounds, bool everywhere) {
  largest_radius_ = bounds.largest_radius;
  for (int axis = 0; axis < 3; ++axis) {
    const double edge = edges_[axis], low = bounds.lower[axis], high = bounds.upper[axis];
    if (edge == 0) continue;
    if (everywhere)
      axes_[static_cast<std::size_t>(axis)] = {-infinity, infinity, 0};
    else
      axes_[static_cast<std::size_t>(axis)] = {low + edge, high - edge,
                                               8 * u * (std::fabs(low) + std::fabs(high) + 2 * edge)};
  }
}

}  // namespace sphaera::query
