#pragma once
/// \file Where the centers of a scene's spheres lie, and their largest radii: what a periodic box must hold.

#include <sphaera/ray.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::query {

struct SceneState;

/// Of the enabled spheres at time 0.
struct CenterBounds {
  Vec3 lower{infinity, infinity, infinity}, upper{-infinity, -infinity, -infinity};  ///< exact
  double largest_radius = 0, second_radius = 0;  ///< of two spheres; 0 if there are fewer
};

/// In the calling arena.
CenterBounds center_bounds_of(const SceneState& state);

}  // namespace sphaera::query
