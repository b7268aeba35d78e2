#pragma once
/// \file Outward rounding of doubles to floats.

#include <cmath>
#include <limits>

namespace sphaera::bench {

inline constexpr float float_infinity = std::numeric_limits<float>::infinity();

/// At least the distance from this float to the next one. A double that rounds to `value` lies within
/// `value` ± this step.
inline float outward_step(float value) {
  return std::abs(value) * 0x1p-23f + std::numeric_limits<float>::min();
}
/// Returns a float below the double.
inline float below(double value) {
  return static_cast<float>(value) - outward_step(static_cast<float>(value));
}
/// Returns a float above the double.
inline float above(double value) {
  return static_cast<float>(value) + outward_step(static_cast<float>(value));
}

}  // namespace sphaera::bench
