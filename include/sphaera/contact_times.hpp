#pragma once
/// \file When eclipses, transits and occultations begin and end: the times at which a star, an observer and
/// bodies that move come into and out of contact on the observer's sky.
///
/// Sunrise and sunset are contacts, too: with the ground that an observer stands on.
///
/// Method: the interval is cut where the cubics of the motions change and then halved; a part is laid aside
/// where bounds on how far star and body can move in it prove that nothing changes, so that no event is
/// missed between two looks. What remains is shorter than the resolution; changes in it are found by
/// bisection of the exact class.

#include <sphaera/requirements.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <sphaera/export.hpp>
#include <sphaera/motion.hpp>
#include <sphaera/star.hpp>
#include <sphaera/starlight.hpp>
#include <stop_token>
#include <vector>

namespace sphaera {

/// A star and the motion of its centre. Without one it stays at star.place; at infinity it cannot move.
struct MovingStar {
  Star star;
  std::optional<Motion> motion{};
};

struct MovingSphere {
  Motion motion;  ///< of the centre
  double radius;  ///< > 0
};

/// Someone who looks and moves. Who stands on a body, perhaps on one that turns (Motion::fixed_in), has a
/// horizon as Observer has: the tangent plane at the place of the time, whatever rounding did to the height.
struct MovingObserver {
  Motion motion;
  std::int64_t on;  ///< number of the body stood on, or Observer::nowhere

  MovingObserver(Motion path, std::int64_t body = Observer::nowhere) : motion(std::move(path)), on(body) {}
};

/// One body's class changes: what would be seen of the star if it were the only body.
/// Of an eclipse: lit → penumbra is first contact, penumbra → umbra (antumbra) second, the way back third and
/// fourth. Of the body stood on: lit → penumbra → umbra is sunset, from the lower limb's touch of the horizon
/// to the upper's; umbra → penumbra → lit is sunrise.
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
  std::stop_token stop{};    ///< a stop makes the call throw ErrorCode::cancelled
};

/// All contacts of the bodies with the star for begin < time ≤ end, by time, then body. The class at `begin`
/// is that of `starlight` with the places there and that body alone (stood on, if it is `observer.on`), and
/// so is the class at every time between two contacts, but for what is shorter than the resolution.
///
/// A contact's time is that of the exact class for the places that Motion::at gives: the rounding of those
/// (3e-5 m at 1 au) over the relative speed (1 km/s) moves it by some 1e-8 s. The work grows with the number
/// of contacts and the logarithm of the resolution, and where discs all but touch for long (an observer who
/// keeps on the edge of a shadow) with that time over the resolution. Far from the origin they do where
/// places are rounded by more than they move in a resolution: at 1e18 m and 1 km/s for some 14 s about a
/// contact.
///
/// Each body alone counts; for the union of several, which can be darker, see light_times.
///
/// Throws Error(invalid_argument) for a star or a radius outside its range, a motion without samples, with
/// one that is not finite, out of order or at more than 2^200, a spin that is not valid, `on` that is no
/// body, an interval that is empty or not finite, a resolution ≤ 0. Where the observer is found inside the
/// star or at the centre of the body stood on, a body is found to cut the star, or a place is found beyond
/// 2^200. Where discs all but touch, or rounding leaves open whether they do, for 2^20 times the resolution
/// (2^16 times in light_times, of bodies together). The element is the body's number, none for star, observer
/// and bodies together. And out_of_memory, cancelled.
SPHAERA_API std::vector<ContactTime> contact_times(const MovingStar& star, const MovingObserver& observer,
                                                   std::span<const MovingSphere> bodies, double begin,
                                                   double end, const ContactOptions& options = {});

/// As contact_times, of the class behind all the bodies together: that of `starlight` with the places at the
/// time. Where bodies that all cross the limb hide the star only between them, begin and end of that are
/// found the same way, by views of a star that is larger (smaller) and bodies that are smaller (larger) by
/// what they can move.
SPHAERA_API std::vector<LightTime> light_times(const MovingStar& star, const MovingObserver& observer,
                                               std::span<const MovingSphere> bodies, double begin, double end,
                                               const ContactOptions& options = {});

}  // namespace sphaera
