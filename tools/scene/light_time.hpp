#pragma once
/// \file Light time: a scene as its light shows it to observers on one of its bodies.

#include <sphaera/motion.hpp>
#include <string>
#include <tools/scene/load.hpp>

namespace sphaera::tool {

/// The motion of a body as seen from another one: at time t the body is where it was when the light left it
/// that reaches the center of `from` at t. Both in one frame that moves uniformly; `light_speed` in its
/// units.
///
/// A sample of the body becomes one at the time at which its light arrives, which is found by a fixed point,
/// t = s + |S(s) − X(t)|/c. Each round shrinks its error by the speed of `from` ÷ c, and rounds go on until
/// the time no longer changes; there position and velocity are exact but for rounding. Between samples it is
/// a cubic, as the ephemeris itself. Samples whose light arrives outside those of `from` are left out.
/// Throws Error invalid_argument if none is left, or if a speed is not below that of light.
Motion seen_from(const Motion& from, const Motion& body, double light_speed);

/// Puts the ephemerides of all other bodies and stars of a scene as they are seen from the sphere that the
/// word of `option` names. Throws UsageError for a word that names none, for a unit other than m, km and au,
/// and if no other body has an ephemeris; Error invalid_argument for a body that moves by a velocity.
/// Precondition: the scene holds its spheres itself.
void see_from(LoadedScene& scene, const std::string& option, const std::string& word);

}  // namespace sphaera::tool
