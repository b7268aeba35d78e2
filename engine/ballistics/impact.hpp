#pragma once
/// \file The numbers of a bullet's impact, rounded once from long ones: in the sphere's frame of motion the
/// bullet's centre goes along a line that meets the ball of both radii.

#include <exact/curves/curve.hpp>
#include <exact/predicates/in_motion.hpp>
#include <sphaera/bullet.hpp>

namespace sphaera::geometry {

/// How a bullet comes off a sphere.
struct Bounce {
  double restitution = 1, friction = 0;
};

/// An impact without its numbers `bounce` and `outcome`, the velocity being that of a ricochet. `contact` is
/// how the pair meets, not a miss. The time since the bullet's start goes to `elapsed`.
Impact impact(const exact::InMotion& pair, std::int64_t sphere, Contact contact, const Bounce& bounce,
              double& elapsed);

/// The same under gravity, of one stay of the curve.
Impact curved_impact(const exact::InMotion& pair, std::int64_t sphere, Contact contact,
                     const exact::Curve& curve, const exact::InsideInterval& stay, const Bounce& bounce,
                     double& elapsed);

}  // namespace sphaera::geometry
