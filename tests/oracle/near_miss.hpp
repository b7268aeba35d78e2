#pragma once
/// \file The near miss of a bullet by its definition at `NearMiss`: what is touched is decided exactly, gaps
/// have 100 digits. Shares no code with the engine.

#include <sphaera/bullet.hpp>
#include <string>
#include <tests/oracle/trajectory.hpp>

namespace sphaera::oracle {

/// The largest errors of near misses, in units of what is stated.
struct NearMissErrors {
  double distance = 0, time = 0, point = 0;
};

/// Checks the near miss of a bullet: its sphere, and its numbers to the errors that are stated at NearMiss
/// and what underflow may add. Returns what is wrong, or an empty text. Adds the errors to `worst`, if it is
/// given.
std::string fault_in(const World& world, const Bullet& bullet, double max_distance, const NearMiss& answer,
                     NearMissErrors* worst = nullptr);

}  // namespace sphaera::oracle
