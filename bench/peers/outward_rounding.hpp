#pragma once
/// \file Outward rounding of doubles to floats.

#include <cmath>
#include <limits>

namespace sphaera::bench {

inline constexpr float float_infinity = std::numeric_limits<float>::infinity();

/// Returns a float at least one step beyond the nearest float, so it lies beyond the double and its rounding
/// error.
inline float outward_step(float value) {
  return std::abs(value) * 0x1p-23f + std::numeric_limits<float>::min();
}
inline float below(double value) {
  return static_cast<float>(value) - outward_step(static_cast<float>(value));
}
inline float above(double value) {
  return static_cast<float>(value) + outward_step(static_cast<float>(value));
}

}  // namespace sphaera::bench
