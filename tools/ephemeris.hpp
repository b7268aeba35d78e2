#pragma once
/// \file Where a body on a sampled path is.

#include <io/scene_file.hpp>

namespace sphaera::tool {

/// The cubic Hermite polynomial of the two samples around the time, which meets their places and velocities.
/// Throws Error invalid_argument for a time before the first or behind the last sample.
Vec3 position_at(const io::Ephemeris& ephemeris, double time);

}  // namespace sphaera::tool
