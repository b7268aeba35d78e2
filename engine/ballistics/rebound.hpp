#pragma once
/// \file A path that bounces off a sphere, in the sphere's frame of motion.
///
/// For a target that moves at W, the path's direction is V − W: subtract W from the bullet's velocity before
/// and add it to the new velocity afterwards. Nothing here knows of speed or time.

#include <exact/predicates/path.hpp>
#include <sphaera/pierce.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::geometry {

struct Rebound {
  SurfacePoint surface;  ///< where it hits
  double angle;          ///< to the tangent plane, 0 … π/2
  Vec3 velocity;         ///< direction mirrored at the tangent plane, of the length asked for
  double distance;       ///< from the path's origin to the hit
};

/// The bounce at the line's entry t1 ≥ 0 into the sphere, at a given speed; precondition: it enters there, D
/// ≠ 0.
Rebound rebound(const exact::Path& path, const Sphere& sphere, double speed);

}  // namespace sphaera::geometry
