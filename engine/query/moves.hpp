#pragma once
/// \file What is checked of moves before anything changes.

#include <span>
#include <sphaera/sphere.hpp>

namespace sphaera::query {

/// Throws if there is not a center for each sphere, or if there are velocities: no scene has any yet.
void check_moves(std::size_t spheres, std::span<const Vec3> centers, std::span<const Vec3> velocities);

}  // namespace sphaera::query
