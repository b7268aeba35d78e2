#include <fmt/core.h>

#include <algorithm>
#include <sphaera/error.hpp>
#include <tools/ephemeris.hpp>

namespace sphaera::tool {

Vec3 position_at(const io::Ephemeris& ephemeris, double time) {
  const auto& samples = ephemeris.samples;
  if (!(time >= samples.front().time && time <= samples.back().time)) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("its ephemeris goes from {} to {}; give a time within, or samples beyond",
                            samples.front().time, samples.back().time));
  }
  const auto after = std::ranges::lower_bound(samples, time, {}, &io::Ephemeris::Sample::time);
  if (after->time == time) return after->position;
  const auto& [t0, p0, v0] = *(after - 1);
  const auto& [t1, p1, v1] = *after;
  const double h = t1 - t0, s = (time - t0) / h, rest = 1 - s;
  // From the nearer end, so that the error of the basis counts for the way from it, not for the place.
  const Vec3 bend = rest * rest * s * h * v0 - rest * s * s * h * v1;
  if (s <= 0.5) return p0 + (s * s * (3 - 2 * s) * (p1 - p0) + bend);
  return p1 + (rest * rest * (3 - 2 * rest) * (p0 - p1) + bend);
}

}  // namespace sphaera::tool
