#pragma once
/// \file Bullets: balls that fly, hit spheres that may move, and pass through them or bounce off.
///
/// Impacts are found in continuous time: no bullet tunnels through a sphere, at any speed. Which spheres are
/// hit, which first and in which order is exact for the input doubles; a target is where it is at the
/// bullet's own time. Ties go to the lowest id. A leg after a ricochet starts from the rounded doubles of the
/// Impact: its time, center and velocity, and the duration that is left. Lengths are in the scene's unit,
/// times in its time unit (seconds by convention), velocities in lengths per unit of time.
///
/// A leg is a hop if neither the bullet nor the sphere that it hits moves on it by more than their rounding:
/// 16u(|center| + radii + |drift since time 0|), u = 2^-53. Of the spheres that a bullet touches at one
/// instant, hops included, it hits each once, and again only if it approaches it again.
///
/// ```cpp
/// #include <cassert>
/// #include <sphaera/scene.hpp>
///
/// int main() {
///   using namespace sphaera;
///   const Scene scene = Scene::build({{{10, 0, 0}, 1}, {{10, 9, 0}, 1}});
///   const Bullet bullet{.origin = {0, 0, 0}, .velocity = {2, 0, 0}, .radius = 0.5};
///   const Impact impact = scene.first_impact(bullet);  // by default the bullet stops there
///   assert(impact.sphere == 0 && impact.outcome == Outcome::stops);
///   assert(impact.time > 4.249 && impact.time < 4.251);  // after (10 − 1 − 0.5) / 2
/// }
/// ```
///
/// Source: Bartlett, "Bullet hitting a stationary sphere" (1999), for the mirror reflection, the angle and
/// the frames to the hit. For moving spheres it is applied in the sphere's frame of motion.

#include <sphaera/config/requirements.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <sphaera/hit.hpp>
#include <sphaera/ray.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// A ball whose center is at origin + (T − start)·velocity at the scene's time T, start ≤ T ≤ start +
/// duration. Both ends are included and neither is rounded. A `start` before time 0 lets a late shot meet
/// the targets where they were (lag compensation). If spheres move, `start` must not lie before the horizon
/// given to the build; the flight ends with the horizon, and a bullet that starts after the horizon hits
/// nothing. Valid: origin, velocity, start within `domain_limit`, 0 ≤ radius ≤ `domain_limit`, duration ≥ 0
/// (∞ allowed). A bullet of velocity 0 waits for spheres that move into it.
struct Bullet {
  Vec3 origin;
  Vec3 velocity;
  double radius = 0;
  double start = 0;
  double duration = infinity;
};

/// The result of an impact for the bullet.
enum class Outcome : std::uint8_t {
  none,       ///< no impact
  ricochets,  ///< bounces off; its next leg is followed
  passes,     ///< passes through; its velocity stays unchanged
  stops,      ///< its flight is not followed any further; `velocity` is that of a ricochet
  refused,  ///< it starts inside the sphere and StartInside::refuses is set: only `sphere` and `contact` are
            ///< set
  /// Nothing moves on: a hundred hops in a row, as between spheres that squeeze the bullet. Its flight is not
  /// followed any further; `velocity` is that of a ricochet.
  stuck,
};

/// One impact of a bullet. Times are scene times. On straight flights the errors stated at the fields, with
/// u = 2^-53, hold at any distance from the bullet's start; under gravity: FlightOptions::gravity.
struct Impact {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  double time = none;  ///< time of the hit: error 1.1u(|time| + time of flight)
  /// When the bullet would leave the sphere on an unchanged path, not cut at the end of flight: error
  /// 8u(|exit_time| + time from the start to the exit).
  double exit_time = none;
  double distance = none;  ///< length of the bullet's path since its start or last bounce: relative error 4u
  /// Between the bullet's velocity relative to the sphere and the tangent plane, radians, 0 … π/2: error 8u.
  double angle = none;
  /// Where the bullet hits the sphere, on its surface: error 2u(|point| + |drift since time 0| + radii).
  Vec3 point;
  Vec3 center;  ///< the bullet's center at the hit: error as `point`
  Vec3 normal;  ///< the sphere's outward normal: error 4u; 0 if the bullet's center is the sphere's center
  /// The bullet's velocity after the hit. With V and W, the velocities of bullet and sphere before it: error
  /// 4u(|V − W| + |W|). If nothing takes speed, its distance from W, the speed in the sphere's frame, differs
  /// from |V − W| by at most 1.01u·|velocity|.
  Vec3 velocity;
  /// Where the bullet would leave the sphere, on the sphere's surface: error 8u(|exit_point| + |drift since
  /// time 0 at the hit| + |drift from the hit to the exit| + radii).
  Vec3 exit_point;
  std::int64_t sphere = -1;         ///< id of the sphere, −1 if nothing is hit
  std::uint32_t bounce = 0;         ///< number of this impact among all of the bullet, from 0; passages count
  Contact contact = Contact::miss;  ///< of bullet and sphere; miss if nothing is hit
  Outcome outcome = Outcome::none;
};

/// Impacts of many bullets; those of one bullet are in order of time.
using ImpactLists = Lists<Impact>;

/// The state of a bullet where its flight ends (FlightOptions::ends): at the end of its duration or of the
/// horizon, or at the impact at which it stops.
struct FlightEnd {
  double time = Impact::none;  ///< scene time, rounded once; ∞ if the flight has no end
  /// The bullet's center at the end, whose instant is not rounded; NaN if the flight has no end. T is the
  /// time since the bullet's start or last bounce. For the doubles of that start or bounce the error of each
  /// coordinate x is u|x| + 2^-90(|velocity|·T + |gravity|·T²). Not finite beyond 2^900.
  Vec3 center{Impact::none, Impact::none, Impact::none};
  /// At the same instant; after an impact at which the flight ends, Impact::velocity. Error of each
  /// coordinate u|x| + 2^-90·|gravity|·T; NaN if a fall has no end.
  Vec3 velocity{Impact::none, Impact::none, Impact::none};
  Outcome outcome = Outcome::none;  ///< of the impact at which the flight ends; none: at its end in time

  /// The bullet of the next frame, which goes on from here for `duration` in the same scene's time: it starts
  /// at `center` at `time`. After an update that moves all spheres to their new places, time 0 is a new one:
  /// set `start` to 0. Fly it with StartInside::leaves, so that it leaves a sphere that it passes through or
  /// that it has just bounced off. A bullet that stops (`outcome`) is at rest or out of bounces at `time`.
  Bullet next(const Bullet& bullet, double duration) const {
    return {center, velocity, bullet.radius, time, duration};
  }
};

/// What happens to a bullet that starts inside a sphere. A bullet that starts on the surface and moves
/// outward counts as inside.
enum class StartInside : std::uint8_t {
  hits,     ///< hits the sphere at its start; bounces off if it moves inward
  leaves,   ///< ignores that sphere until the bullet has left it
  refuses,  ///< is not fired, as in Bartlett: Outcome::refused
};

/// How bullets fly and what they do at an impact. A bullet passes through the sphere if `pierces` and
/// `budget` allow, else bounces off if `bounces` allows, else stops.
struct FlightOptions {
  std::uint32_t bounces = 0;  ///< most ricochets that are followed
  std::uint32_t pierces = 0;  ///< most passages; a sphere passed twice counts and costs twice
  /// ≥ 0: the most that a bullet may spend on penetrations. Each sphere costs its resistance; a bullet does
  /// not pass through a sphere that costs more than is left.
  double budget = infinity;
  /// Indexed by id, each ≥ 0 (∞ allowed); resistances.size() = spheres().size(). Empty: 1 for all.
  std::span<const double> resistances{};
  StartInside start_inside = StartInside::hits;
  /// Acceleration of every bullet, in lengths per unit of time squared, within `domain_limit`. Spheres keep
  /// their velocities. Which spheres are hit is exact under gravity, too. The errors are those stated at
  /// Impact, except:
  /// - `distance`: relative error 1e-12;
  /// - `exit_time`: 16u(|exit_time| + t), t the time from the start to the exit;
  /// - `exit_point`: 16u(|velocity|·t + |gravity|·t²/2 + the terms of `point`);
  /// - where a curve only touches the sphere, `time`: 2u(|time| + time of flight); `point`, `center` and
  /// `normal` are those at that time.
  ///
  /// A bullet stops on a sphere that it bounced off if gravity holds it there, or if it only hops on it. A
  /// query with gravity needs up to 1.5 MiB of stack on its thread, and 1.3 to 3.3 times the time of a
  /// straight one (bench/verbs/gravity.cpp).
  Vec3 gravity{};
  double restitution = 1;  ///< 0 … 1: fraction of the speed along the normal that is kept
  /// Finite, ≥ 0, Coulomb friction: reduces the tangential speed by friction · (1 + restitution) · (speed
  /// along the normal), at most to 0. Bullets have no spin.
  double friction = 0;
  /// If given, one for each bullet: its state at the end of its flight. `first_impact` ends a flight at the
  /// first impact, and gives the outcome and the velocity after it. Skipped bullets have `FlightEnd{}`. After
  /// an error of the query the contents are unspecified.
  std::span<FlightEnd> ends{};
  /// Accelerations of the bullets, one for each, in place of `gravity`; empty: `gravity` for all. Each bullet
  /// is followed as if it were alone with its gravity, so such a batch takes longer.
  std::span<const Vec3> gravities{};
  /// The material of each sphere, indexed by id, in place of `restitution` and `friction`: sizes and values
  /// as for `resistances`, `restitution` and `friction`. Empty: that of the options for all spheres.
  std::span<const double> restitutions{};
  std::span<const double> frictions{};
};

/// The sphere with the smallest gap to a bullet that it does not touch, on the bullet's way to its first
/// impact. u = 2^-53; L is the vector between the centers at the start.
struct NearMiss {
  /// Smallest gap between bullet and sphere; good to 18u·(|L| + radii).
  double distance = infinity;
  /// Scene time at which the gap is smallest; good to 13u·|L| ÷ (relative speed) + u(|time| + time of
  /// flight); ∞ or 0 if no double holds it.
  double time = Impact::none;
  /// The point of the sphere nearest to the bullet at that time; good to 16u(|L| + radii + |point| + |drift
  /// since time 0|) plus what the sphere moves within the error of the time.
  Vec3 point;
  std::int64_t sphere = -1;  ///< −1: no sphere within `max_distance`
};

}  // namespace sphaera::inline SPHAERA_ABI
