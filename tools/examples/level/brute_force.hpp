#pragma once
/// \file The answers a second time, without any index: every triangle in doubles, every sphere in long
/// doubles.

#include "world.hpp"

namespace level {

/// The result of checking an answer.
enum class Verdict : std::uint8_t {
  right,
  close,  ///< two things at distances that a float does not tell apart: either is right
  wrong,
};

/// Embree decides walls on floats: its t is off by no more than this many meters in this level, for rays of
/// length 1.
inline constexpr double float_error = 1e-4;

Verdict judge_first(const World& world, const sphaera::Ray& ray, const LevelHit& seen);
Verdict judge_blocked(const World& world, const sphaera::Ray& ray, bool blocked);

}  // namespace level
