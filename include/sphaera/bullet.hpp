#pragma once
/// \file Bullets: balls that fly, hit spheres that may move, pass through them or bounce off.
///
/// Nothing tunnels: an impact is found in continuous time, at any speed. Which spheres are hit, which first
/// and in which order is what exact arithmetic gives for the input doubles, a target being where it is at the
/// bullet's own time; ties go to the lowest id. A leg after a ricochet is one for the doubles that it starts
/// from: the Impact's time, center and velocity, and the duration that is left, all rounded. Lengths are in
/// the scene's unit, times in its time unit (seconds by convention), velocities in lengths a time.
///
/// Sources: Bartlett, "Bullet hitting a stationary sphere" (1999), for the mirror reflection, the angle and
/// the frames to the hit; in the sphere's frame of motion where it moves.

#include <sphaera/requirements.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <sphaera/hit.hpp>
#include <sphaera/ray.hpp>

namespace sphaera {

/// A ball whose centre is at origin + (T − start)·velocity at the scene's time T, start ≤ T ≤ start +
/// duration, both ends included and none rounded. A `start` before now lets a late shot meet the targets
/// where they were (lag compensation). Where spheres move it must not lie before the horizon of the scene's
/// build, in which flights end; a bullet that starts after it hits nothing. Valid: origin, velocity, start
/// within `domain_limit`, 0 ≤ radius ≤ `domain_limit`, duration ≥ 0 (∞ allowed). A velocity of 0 is a ball
/// that waits to be run into.
struct Bullet {
  Vec3 origin;
  Vec3 velocity;
  double radius = 0;
  double start = 0;
  double duration = infinity;
};

/// What becomes of a bullet at an impact.
enum class Outcome : std::uint8_t {
  none,       ///< no impact
  ricochets,  ///< bounces off, and its flight is followed on
  passes,     ///< goes through; its velocity stays as it is
  stops,      ///< not followed any further; the velocity is that of a ricochet
  refused,    ///< started within the sphere, and StartInside::refuses
};

/// One impact of a bullet. Times are the scene's, u = 2^-53; the errors hold however far the bullet came
/// from.
struct Impact {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  double time = none;  ///< when it hits: 1.1u(|time| + time of flight)
  double exit_time =
      none;                ///< when it would leave again on a straight way, not cut at its end: 8u, as `time`
  double distance = none;  ///< along its way since its start or last bounce: 4u
  double angle = none;     ///< between its way, as the sphere sees it, and the tangent plane, 0 … π/2: 8u
  Vec3 point;              ///< where it hits, on the sphere: 2u(|point| + |drift since time 0| + radii)
  Vec3 center;             ///< of the bullet, then: likewise
  Vec3 normal;             ///< of the sphere, outward: 4u; 0 where the bullet's centre is the sphere's
  Vec3 velocity;           ///< of the bullet, after: 4u of the speeds; its length in the sphere's frame 2 ulp
  Vec3 exit_point;         ///< where it would leave, on the sphere: 8u, as `point`
  std::int64_t sphere = -1;
  std::uint32_t bounce = 0;  ///< number of this impact, from 0
  Contact contact = Contact::miss;
  Outcome outcome = Outcome::none;
};

/// Impacts of many bullets, each one's in order of time.
using ImpactLists = Lists<Impact>;

/// What a bullet does that starts within a sphere. (One that starts on a sphere and leaves it starts within.)
enum class StartInside : std::uint8_t {
  hits,     ///< hits it at once, and bounces off if it is on its way in
  leaves,   ///< passes that sphere by until it has left it
  refuses,  ///< is not fired (Bartlett): Outcome::refused
};

/// How bullets fly and what they do at an impact: they pass through where they may, else bounce off where
/// they may, else stop.
struct FlightOptions {
  std::uint32_t bounces = 0;  ///< ricochets that are followed
  std::uint32_t pierces = 0;  ///< spheres that a bullet may pass through
  /// What a bullet may spend on passing through, each sphere costing its resistance; one that costs more than
  /// is left is not passed.
  double budget = infinity;
  std::span<const double> resistances{};  ///< one ≥ 0 for each sphere; empty: 1 each
  StartInside start_inside = StartInside::hits;
  /// Acceleration of every bullet, lengths a time squared, within `domain_limit`. Impacts are exact then,
  /// too; places and times are good to 16u of the way, distances to 1e-12 of it. Spheres keep their
  /// velocities. A bullet that gravity holds on to a sphere that it bounced off, or whose hop on it is no
  /// longer than places are good to, stops there.
  Vec3 gravity{};
  double restitution = 1;  ///< 0 … 1: the share of the speed along the normal that is kept
  double friction = 0;  ///< ≥ 0, Coulomb's: takes off friction · (1 + restitution) · (speed along the normal)
};

/// Who is passed most closely by a bullet without being touched, on its way to its first impact.
struct NearMiss {
  double distance = infinity;  ///< least gap between bullet and sphere; good to 8u·(|L| + radii)
  double time = Impact::none;  ///< the scene's, when the gap is least
  Vec3 point;                  ///< of the sphere, nearest to the bullet then
  std::int64_t sphere = -1;    ///< −1: nobody within reach
};

}  // namespace sphaera
