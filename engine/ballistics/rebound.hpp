#pragma once
/// \file The rebound of a path off a sphere, in the sphere's frame of motion.
///
/// For a target that moves at W, the path's direction is V − W: subtract W from the bullet's velocity before
/// and add it to the new velocity afterwards. The speed scales Rebound::velocity alone; nothing here depends
/// on time.

#include <exact/predicates/path.hpp>
#include <sphaera/closed_form/pierce.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::ballistics {

struct Rebound {
  SurfacePoint surface;  ///< point and normal of the hit
  double angle;          ///< between path and tangent plane, 0 … π/2
  Vec3 velocity;         ///< direction mirrored at the tangent plane, with the given speed as length
  double distance;       ///< from the path's origin to the hit
};

/// The rebound at the line's entry t1 ≥ 0 into the sphere, at a given speed. Precondition: the line enters
/// the sphere at t1, D ≠ 0.
Rebound rebound(const exact::Path& path, const Sphere& sphere, double speed);

}  // namespace sphaera::ballistics
