#pragma once
/// \file The near miss of a bullet by its definition at `NearMiss`: what is touched is decided exactly, gaps
/// have 100 digits. Shares no code with the engine.

#include <sphaera/bullet.hpp>
#include <string>
#include <tests/oracle/trajectory.hpp>

namespace sphaera::oracle {

/// Checks the near miss of a bullet: its sphere and gap to the stated error of distances, its time and point
/// to 32u of what rounding may move. Returns what is wrong, or an empty text.
std::string fault_in(const World& world, const Bullet& bullet, double max_distance, const NearMiss& answer);

}  // namespace sphaera::oracle
