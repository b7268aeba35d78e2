#pragma once
/// \file When eclipses, transits and occultations begin and end: the times at which a star, an observer and
/// bodies that move come into and out of contact on the observer's sky.
///
/// Method: the interval is cut where the cubics of the motions change and then halved; a part is laid aside
/// where bounds on how far star and body can move in it prove that nothing changes, so that no event is
/// missed between two looks. What remains is shorter than the resolution; changes in it are found by
/// bisection of the exact class.

#include <cstdint>
#include <optional>
#include <span>
#include <sphaera/export.hpp>
#include <sphaera/star.hpp>
#include <sphaera/starlight.hpp>
#include <vector>

namespace sphaera {

/// Where something is and how it moves at one time: a row of an ephemeris. Seconds, metres, metres a second,
/// or any consistent units.
struct MotionSample {
  double time;
  Vec3 position;
  Vec3 velocity;
};

/// A path through space: uniform, or cubic between the samples of an ephemeris (Hermite interpolation, which
/// keeps positions and velocities of the samples), uniform before the first and after the last.
struct Motion {
  std::vector<MotionSample> samples;  ///< one at least, by ascending time

  static Motion at_rest(const Vec3& place) { return {{{0, place, {}}}}; }
  /// At `position` at time 0.
  static Motion linear(const Vec3& position, const Vec3& velocity) { return {{{0, position, velocity}}}; }

  /// Place at time t, off by ≤ 40·2^-53 of the samples' coordinates and steps there. Not checked: there are
  /// samples, ascending and finite; see contact_times.
  SPHAERA_API Vec3 at(double t) const;
};

/// A star and the motion of its centre. Without one it stays at star.place; at infinity it cannot move.
struct MovingStar {
  Star star;
  std::optional<Motion> motion{};
};

struct MovingSphere {
  Motion motion;  ///< of the centre
  double radius;  ///< > 0
};

/// One body's class changes: what would be seen of the star if it were the only body.
/// Of an eclipse: lit → penumbra is first contact, penumbra → umbra (antumbra) second, the way back third and
/// fourth.
struct ContactTime {
  double time;  ///< the class is `after` here and `before` at the double before
  std::int64_t body;
  Light before, after;

  friend constexpr bool operator==(const ContactTime&, const ContactTime&) = default;
};

/// A change of the class behind all bodies.
struct LightTime {
  double time;  ///< the class is `after` here and `before` at the double before
  Light before, after;

  friend constexpr bool operator==(const LightTime&, const LightTime&) = default;
};

struct ContactOptions {
  double resolution = 1e-3;  ///< > 0; a class that lasts this long is never missed, a shorter one may be
};

/// All contacts of the bodies with the star for begin < time ≤ end, by time, then body. The class at `begin`
/// is that of `starlight` with the places there and that body alone, and so is the class at every time
/// between two contacts, but for what is shorter than the resolution.
///
/// A contact's time is that of the exact class for the places that Motion::at gives: the rounding of those
/// (3e-5 m at 1 au) over the relative speed (1 km/s) moves it by some 1e-8 s. The work grows with the number
/// of contacts and the logarithm of the resolution, and where discs all but touch for long (an observer who
/// keeps on the edge of a shadow) with that time over the resolution. Leave out a body that the observer
/// stands on: rounding takes such an observer in and out of its ball.
///
/// Each body alone counts; for the union of several, which can be darker, see light_times.
///
/// Throws Error(invalid_argument) for a star or a radius outside its range, a motion without samples, with
/// one that is not finite, out of order or at more than 2^200, an interval that is empty or not finite, a
/// resolution ≤ 0, and where the observer is found inside the star, a body is found to cut it, or a place is
/// found beyond 2^200; the element is the body's number, none for star and observer. And out_of_memory.
SPHAERA_API std::vector<ContactTime> contact_times(const MovingStar& star, const Motion& observer,
                                                   std::span<const MovingSphere> bodies, double begin,
                                                   double end, const ContactOptions& options = {});

/// As contact_times, of the class behind all the bodies together: that of `starlight` with the places at the
/// time. Where bodies that all cross the limb hide the star only between them, begin and end of that are
/// found the same way, by views of a star that is larger (smaller) and bodies that are smaller (larger) by
/// what they can move.
SPHAERA_API std::vector<LightTime> light_times(const MovingStar& star, const Motion& observer,
                                               std::span<const MovingSphere> bodies, double begin, double end,
                                               const ContactOptions& options = {});

}  // namespace sphaera
