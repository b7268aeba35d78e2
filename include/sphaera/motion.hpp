#pragma once
/// \file Motions: uniform, along an ephemeris, and fixed in a turning body.

#include <sphaera/requirements.hpp>

#include <optional>
#include <sphaera/export.hpp>
#include <sphaera/vec3.hpp>
#include <utility>
#include <vector>

namespace sphaera {

/// Position and velocity at one time: a row of an ephemeris. Seconds, metres, metres per second, or any
/// consistent units.
struct MotionSample {
  double time;
  Vec3 position;
  Vec3 velocity;
};

/// A steady rotation. Valid: a finite axis of any non-zero length, 2^-200 ≤ |period| ≤ 2^200.
struct Spin {
  Vec3 axis;      ///< the rotation is counter-clockwise as seen from its tip
  double period;  ///< time of one turn; negative: clockwise

  /// The vector at time t that is v at time 0; off by ≤ 64·2^-53 |v| for any t (Rodrigues' formula; whole
  /// turns are removed without rounding).
  SPHAERA_API Vec3 turned(const Vec3& v, double t) const;
};

/// The vector from the centre of a turning body to a point fixed in it.
struct TurningArm {
  Spin spin;
  Vec3 arm;  ///< at time 0
};

/// Position as a function of time: uniform, or cubic between the samples of an ephemeris (Hermite
/// interpolation, which keeps the positions and velocities of the samples) and uniform before the first and
/// after the last. If `arm` is set, the turned arm is added.
struct Motion {
  std::vector<MotionSample> samples;  ///< at least one, ascending by time
  std::optional<TurningArm> arm{};

  static Motion at_rest(const Vec3& place) { return {{{0, place, {}}}}; }
  /// Uniform motion; at `position` at time 0.
  static Motion linear(const Vec3& position, const Vec3& velocity) { return {{{0, position, velocity}}}; }
  /// The motion of a point fixed in a turning body; `from_center` is its vector from the body's centre at
  /// time 0.
  static Motion fixed_in(Motion body, const Spin& spin, const Vec3& from_center) {
    return {std::move(body.samples), TurningArm{spin, from_center}};
  }

  /// Position at time t, off by ≤ 40·2^-53 of the samples' coordinates and steps at t, and 64·2^-53 of the
  /// arm. Does not check that there are samples, finite and ascending, and that the spin is valid;
  /// contact_times checks it.
  SPHAERA_API Vec3 at(double t) const;
};

}  // namespace sphaera
