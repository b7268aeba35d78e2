#pragma once
/// \file Eclipses as wholes: from the first contact to the last, with the greatest in between.

#include <limits>
#include <tools/receivers/scene_over_time.hpp>
#include <vector>

namespace sphaera::tool {

/// A time in which a body hides a part of a star. NaN: outside the interval that was searched, or, of
/// `total`, there is none.
struct EclipseInterval {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  std::int64_t star, body;
  EclipsePhase phase;  ///< the deepest: umbra, antumbra or penumbra
  double start = none, total_start = none, total_end = none, end = none;  ///< total: or annular
  double greatest = none;              ///< when the centers of star and body are nearest on the sky
  double magnitude = none;             ///< of the eclipse, then
  StarStatus status = StarStatus::ok;  ///< if it is not ok, the star is not seen and the rest has no values
};

/// The intervals of an observer, by star, then start, then body; one for a star that is not seen. `contacts`
/// are all of each body alone, by star, then time. `greatest` is good to 1e-8 of the duration.
std::vector<EclipseInterval> eclipse_intervals(const SceneOverTime& sky, const SceneObserver& observer,
                                               const std::vector<StarContact>& contacts);

}  // namespace sphaera::tool
