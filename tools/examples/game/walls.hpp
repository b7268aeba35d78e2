#pragma once
/// \file Walls of the town: what a game keeps in its own physics. A shot ends at the first one. Walls that
/// are triangles of an Embree scene are in ../level.

#include <sphaera/sphaera.hpp>

namespace game {

/// The least t from 0 to t_max at which origin + t × direction meets a wall; t_max: it meets none.
double until_wall(const sphaera::Vec3& origin, const sphaera::Vec3& direction, double t_max);

}  // namespace game
