#pragma once
/// \file Times at which eclipses, transits and occultations begin and end: contacts of a star with moving
/// bodies on the sky of a moving observer. Sunrise and sunset are contacts with the ground that an observer
/// stands on.
///
/// Times are in the unit of time of the motions (seconds by convention).
///
/// ```cpp
/// #include <cassert>
/// #include <sphaera/contact_times.hpp>
///
/// int main() {
///   using namespace sphaera;
///   // A body of radius 1 crosses the line of sight to a star of radius 1 in the distance.
///   const MovingStar star{Star::at({1000, 0, 0}, 1)};
///   const MovingObserver observer{Motion::at_rest({0, 0, 0})};
///   const std::vector<MovingSphere> bodies{{Motion::linear({500, -10, 0}, {0, 1, 0}), 1}};
///   const std::vector<ContactTime> contacts = contact_times(star, observer, bodies, 0, 20);
///   assert(contacts.size() == 4);  // first to fourth contact
///   assert(contacts[0].before == EclipsePhase::lit && contacts[0].after == EclipsePhase::penumbra);
///   assert(contacts[1].after == EclipsePhase::umbra);
/// }
/// ```
///
/// Method: the interval is split where the cubics of the motions change, and then halved. A part is discarded
/// when bounds on the motion of star and body in it prove that the phase does not change, so no event is
/// missed between two evaluated times. The parts that remain are shorter than the resolution; bisection of
/// the exact phase finds the changes in them.

#include <sphaera/config/requirements.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <sphaera/config/export.hpp>
#include <sphaera/motion.hpp>
#include <sphaera/star.hpp>
#include <sphaera/starlight.hpp>
#include <stop_token>
#include <vector>

namespace sphaera::inline SPHAERA_ABI {

/// A star and the motion of its center. Without a motion the star stays at star.center; with one,
/// star.center is not used, but must be valid. A star at infinity must not have a motion.
struct MovingStar {
  Star star;
  std::optional<Motion> motion{};
};

/// A body that may cover the star: a sphere with the motion of its center.
struct MovingSphere {
  Motion motion;      ///< of the center
  double radius = 0;  ///< valid: > 0, at most `domain_limit`
};

/// A moving viewpoint. If `on` is set, the observer stands on that body, which may turn (Motion::fixed_in).
/// Its horizon is that of Observer: the tangent plane through the observer's position at each time, even if
/// rounding moves the position off the surface.
struct MovingObserver {
  Motion motion;
  std::int64_t on = Observer::nowhere;  ///< number of the body that the observer stands on
};

/// A change of phase for one body, as if it were the only body. For an eclipse, lit → penumbra is first
/// contact and penumbra → umbra (antumbra) is second; third and fourth contact are the changes back. For the
/// body `on`, lit → penumbra → umbra is sunset, from the moment the lower limb touches the horizon to the
/// moment the upper limb does; umbra → penumbra → lit is sunrise.
struct ContactTime {
  double time = 0;         ///< the phase is `after` here and `before` at the double before
  std::int64_t body = -1;  ///< its number in the span
  EclipsePhase before = EclipsePhase::lit, after = EclipsePhase::lit;

  friend constexpr bool operator==(const ContactTime&, const ContactTime&) = default;
};

/// A change of phase behind all bodies together.
struct PhaseChange {
  double time = 0;  ///< the phase is `after` here and `before` at the double before
  EclipsePhase before = EclipsePhase::lit, after = EclipsePhase::lit;

  friend constexpr bool operator==(const PhaseChange&, const PhaseChange&) = default;
};

/// Why a search has no answer: at `time` the star has no phase.
struct UnseenStar {
  StarStatus status = StarStatus::ok;                      ///< ok: the search has an answer
  double time = std::numeric_limits<double>::quiet_NaN();  ///< one of the times at which it is so
  std::int64_t body = -1;  ///< number of the body that intersects the star, or −1

  friend constexpr bool operator==(const UnseenStar&, const UnseenStar&) = default;
};

/// Accuracy, cancellation and failure of a search for contacts.
struct ContactOptions {
  /// > 0, in the unit of time of the motions; a phase that lasts at least this long is never missed, a
  /// shorter one may be.
  double resolution = 1e-3;
  std::stop_token stop{};  ///< a stop makes the call throw ErrorCode::cancelled
  /// Null: the call throws if the observer is found inside the star, or a body to intersect its surface. Not
  /// null: the answer is then empty, and this says why. Every call that does not throw sets it.
  UnseenStar* unseen = nullptr;
};

/// All contacts of the bodies with the star for begin < time ≤ end, sorted by time, then by body. The phase
/// at `begin` is that of `starlight` for the positions at `begin` and that body alone (with `on` set if it is
/// `observer.on`). The same holds at every time between two contacts, except for phases shorter than the
/// resolution.
///
/// A contact's time is that of the exact phase for the positions that Motion::at returns. Their rounding
/// (3e-5 m at 1 au), divided by the relative speed (1 km/s), moves the time by about 1e-8 s. The work grows
/// with the number of contacts and the logarithm of the resolution. While two limbs almost touch (an observer
/// that stays at the edge of a shadow), it grows with that time divided by the resolution. Far from the
/// origin this also happens where positions are rounded by more than the bodies move in one resolution: at
/// 1e18 m and 1 km/s for about 14 s around a contact (uniform motions), 2 minutes with an ephemeris or an
/// arm.
///
/// Each body is taken alone; for the union of several, which can be darker, see phase_changes.
///
/// Throws Error(invalid_argument)
/// - for a star or a radius outside its range; a motion without samples, or with samples that are not finite,
/// not in order or beyond 2^200; an invalid spin; `on` that is not a body; begin ≥ end, or one of them not
/// finite; a resolution ≤ 0;
/// - if the observer is found at the center of the body `on`, or a position beyond 2^200;
/// - without ContactOptions::unseen, if the observer is found inside the star, or a body to intersect its
/// surface;
/// - if limbs almost touch, or rounding leaves open whether they do, for 2^20 times the resolution (2^16
/// times for bodies together in phase_changes).
/// The element is the body's number; none for star, observer and bodies together. Also throws out_of_memory
/// and cancelled.
SPHAERA_API std::vector<ContactTime> contact_times(const MovingStar& star, const MovingObserver& observer,
                                                   std::span<const MovingSphere> bodies, double begin,
                                                   double end, const ContactOptions& options = {});

/// As contact_times, for the phase behind all bodies together: that of `starlight` for the positions at each
/// time. Several bodies that all cross the limb may hide the star only together. The begin and end of such a
/// phase are found by the same method, from views with a larger (smaller) star and smaller (larger) bodies;
/// the margin is the distance that they can move.
SPHAERA_API std::vector<PhaseChange> phase_changes(const MovingStar& star, const MovingObserver& observer,
                                                   std::span<const MovingSphere> bodies, double begin,
                                                   double end, const ContactOptions& options = {});

/// A contact of a whole ball, such as the Moon in a lunar eclipse, with the shadow of a body. Its penumbra is
/// where the body hides a part of the star or all of it, its umbra where it hides all.
enum class ShadowContact : std::uint8_t {
  enters_penumbra,  ///< P1: the ball touches it from outside
  inside_penumbra,  ///< P2: from now on the whole ball is in it
  enters_umbra,     ///< U1
  inside_umbra,     ///< U2
  leaves_umbra,     ///< U3: the ball begins to leave it
  outside_umbra,    ///< U4: it touches it for the last time
  leaves_penumbra,  ///< P3
  outside_penumbra  ///< P4
};

/// A contact of the ball with the shadow of `body`.
struct ShadowChange {
  double time = 0;         ///< as ContactTime::time
  std::int64_t body = -1;  ///< its number in the span
  ShadowContact contact = ShadowContact::enters_penumbra;

  friend constexpr bool operator==(const ShadowChange&, const ShadowChange&) = default;
};

/// The contacts of a ball with the shadows of bodies, each alone, for begin < time ≤ end, sorted by time,
/// then body, then contact. They are those of its center with the shadows of bodies and stars whose radii
/// differ by the ball's (engine/contacts/README.md, proof 4), found as contact_times finds them: exact but
/// for the rounding of motions and of these radii. A shadow without air, which makes that of the Earth some
/// 50 km wider. Near the tip of an umbra the surface at one distance of it is round; here it is a cone: a
/// ball that meets nothing but the tip may do so too early by its radius ÷ sine of the cone's half angle.
///
/// Throws the errors of contact_times, and Error(invalid_argument) for a ball that is not smaller than the
/// star. Its position must stay outside the bodies; a ball that is found to meet the star is an observer
/// inside the star.
SPHAERA_API std::vector<ShadowChange> shadow_contacts(const MovingStar& star, const MovingSphere& ball,
                                                      std::span<const MovingSphere> bodies, double begin,
                                                      double end, const ContactOptions& options = {});

}  // namespace sphaera::inline SPHAERA_ABI
