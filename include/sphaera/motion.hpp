#pragma once
/// \file Paths through space: uniform, along an ephemeris, and what turns with a body.

#include <sphaera/requirements.hpp>

#include <optional>
#include <sphaera/export.hpp>
#include <sphaera/vec3.hpp>
#include <utility>
#include <vector>

namespace sphaera {

/// Where something is and how it moves at one time: a row of an ephemeris. Seconds, metres, metres a second,
/// or any consistent units.
struct MotionSample {
  double time;
  Vec3 position;
  Vec3 velocity;
};

/// A steady rotation. Valid: a finite axis of any length but zero, 2^-200 ≤ |period| ≤ 2^200.
struct Spin {
  Vec3 axis;      ///< seen from its tip the turn is counter-clockwise
  double period;  ///< time of one turn; negative: clockwise

  /// At time t what is v at time 0 and turns so; off by ≤ 64·2^-53 |v|, for however large t (Rodrigues'
  /// formula; whole turns are left out without rounding).
  SPHAERA_API Vec3 turned(const Vec3& v, double t) const;
};

/// The way from the centre of a turning body to something fixed in it.
struct TurningArm {
  Spin spin;
  Vec3 arm;  ///< at time 0
};

/// A path through space: uniform, or cubic between the samples of an ephemeris (Hermite interpolation, which
/// keeps positions and velocities of the samples), uniform before the first and after the last. Perhaps an
/// arm that turns is added.
struct Motion {
  std::vector<MotionSample> samples;  ///< one at least, by ascending time
  std::optional<TurningArm> arm{};

  static Motion at_rest(const Vec3& place) { return {{{0, place, {}}}}; }
  /// At `position` at time 0.
  static Motion linear(const Vec3& position, const Vec3& velocity) { return {{{0, position, velocity}}}; }
  /// Of what is fixed in a body that turns, `from_center` away from its centre at time 0.
  static Motion fixed_in(Motion body, const Spin& spin, const Vec3& from_center) {
    return {std::move(body.samples), TurningArm{spin, from_center}};
  }

  /// Place at time t, off by ≤ 40·2^-53 of the samples' coordinates and steps there and 64·2^-53 of the arm.
  /// Not checked: there are samples, ascending and finite, a valid spin; see contact_times.
  SPHAERA_API Vec3 at(double t) const;
};

}  // namespace sphaera
