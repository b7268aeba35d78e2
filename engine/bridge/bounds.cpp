#include <algorithm>
#include <array>
#include <bridge/bounds.hpp>
#include <cmath>

namespace sphaera::bridge {
namespace {

/// Outward rounding of a box, relative to |C| + |W·T| + r (center, velocity · time, radius): twice the error
/// of the four roundings in `lower` or `upper`.
constexpr double slack = 8 * exact::u;

}  // namespace

double Box::largest_coordinate() const {
  double largest = 0;
  for (int i = 0; i < 3; ++i) largest = std::max({largest, std::fabs(lower[i]), std::fabs(upper[i])});
  return largest;
}

Box box_of(const Data& data, std::uint32_t sphere) {
  if (!data.state->is_enabled(sphere)) return {};
  const auto& [center, radius] = data.state->spheres.span()[sphere];
  std::array<double, 3> lower, upper;
  for (int i = 0; i < 3; ++i) {
    double low = 0, high = 0;  // bounds of the displacement since time 0
    if (data.moving) {
      const double w = data.state->velocities.span()[sphere][i];
      const double first = w * data.options.time.from, last = w * data.options.time.to;
      low = std::min({low, first, last}), high = std::max({high, first, last});
    }
    const double outward = slack * (std::fabs(center[i]) + std::max(-low, high) + radius);
    lower[i] = center[i] + low - radius - outward, upper[i] = center[i] + high + radius + outward;
  }
  return {{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
}

Box box_of(const Data& data) {
  if (!data.state->scene_index) return {};
  const index::Frame& frame = data.state->scene_index->top().frame();
  return {frame.center() - frame.half_size(), frame.center() + frame.half_size()};
}

void write(const Box& box, double margin, RTCBounds& out) {
  const auto down = [&](double x) { return index::round_down(x - margin); };
  const auto up = [&](double x) { return index::round_up(x + margin); };
  out.lower_x = down(box.lower.x), out.lower_y = down(box.lower.y), out.lower_z = down(box.lower.z);
  out.upper_x = up(box.upper.x), out.upper_y = up(box.upper.y), out.upper_z = up(box.upper.z);
  out.align0 = out.align1 = 0;
}

}  // namespace sphaera::bridge
