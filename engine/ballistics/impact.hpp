#pragma once
/// \file The numbers of a bullet's impact; their errors: bullet.hpp. Without gravity, in the sphere's frame
/// of motion the bullet's center moves along a line that meets a ball; the ball's radius is the sum of both
/// radii.

#include <exact/curves/curve.hpp>
#include <exact/predicates/in_motion.hpp>
#include <sphaera/bullet.hpp>

namespace sphaera::ballistics {

/// Parameters of a rebound. A restitution of −1 without friction leaves the velocity as it is.
struct Bounce {
  double restitution = 1, friction = 0;
};

/// The impact, except Impact::bounce and Impact::outcome; its velocity is that of a ricochet. `contact` is
/// the contact of the pair and not a miss. `elapsed` receives the time since the bullet's start.
Impact impact(const exact::InMotion& pair, std::int64_t sphere, Contact contact, const Bounce& bounce,
              double& elapsed);

/// The same under gravity, computed without the curve. `low` and `high` enclose the entry; between them f
/// (curve.hpp) falls and has no other root; for a start inside they are not used. Returns false and writes
/// nothing if there is friction, and for the few other impacts that need the curve: call curved_impact for
/// these. No result depends on the bounds.
bool quick_curved_impact(const exact::InMotion& pair, std::int64_t sphere, Contact contact,
                         const Vec3& gravity, double low, double high, const Bounce& bounce, Impact& impact,
                         double& elapsed);

/// The same for one inside interval (`interval`) of the curve.
Impact curved_impact(const exact::InMotion& pair, std::int64_t sphere, Contact contact,
                     const exact::Curve& curve, const exact::InsideInterval& interval, const Bounce& bounce,
                     double& elapsed);

}  // namespace sphaera::ballistics
