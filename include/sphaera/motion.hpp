#pragma once
/// \file Motions: uniform, along an ephemeris, and fixed in a turning body.

#include <sphaera/config/requirements.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <sphaera/config/export.hpp>
#include <sphaera/vec3.hpp>
#include <utility>
#include <vector>

namespace sphaera::inline SPHAERA_ABI {

/// Position and velocity at one time: a row of an ephemeris. Seconds, meters, meters per second, or any
/// consistent units.
struct MotionSample {
  double time = 0;
  Vec3 position;
  Vec3 velocity;
};

/// A steady rotation. Valid: a finite axis of any non-zero length, 2^-200 ≤ |period| ≤ 2^200.
struct Spin {
  Vec3 axis;          ///< the rotation is counter-clockwise as seen from its tip
  double period = 0;  ///< time of one turn, in the unit of `t`; negative: clockwise; 0 is not valid

  /// The vector at time t that is v at time 0; off by ≤ 64·2^-53 |v| for any t (Rodrigues' formula; whole
  /// turns are removed without rounding). Precondition: a valid spin, v within 2^200, t finite; not checked.
  SPHAERA_API Vec3 turned(const Vec3& v, double t) const;
};

/// The vector from the center of a turning body to a point fixed in it.
struct TurningArm {
  Spin spin;
  Vec3 arm;  ///< at time 0
};

/// Position as a function of time: uniform, or cubic between the samples of an ephemeris (Hermite
/// interpolation, which keeps the positions and velocities of the samples) and uniform before the first and
/// after the last. A motion may have a constant offset, which is added to the position of every sample, and
/// an arm, which is turned and then added. Copies, and the motions of points beside or in a body, share the
/// samples.
class Motion {
 public:
  /// Valid: at least one sample, ascending by time, all numbers of at most 2^200 in magnitude. Not checked
  /// here; contact_times checks it. Throws std::bad_alloc.
  explicit Motion(std::vector<MotionSample> samples) {
    const auto owner = std::make_shared<const std::vector<MotionSample>>(std::move(samples));
    first_ = {owner, owner->data()}, count_ = owner->size();
  }

  /// At `position` at all times. Not checked here; contact_times checks it. Throws std::bad_alloc.
  static Motion at_rest(const Vec3& position) { return linear(position, {}); }
  /// Uniform motion; at `position` at time 0. Not checked here; contact_times checks it. Throws
  /// std::bad_alloc.
  static Motion linear(const Vec3& position, const Vec3& velocity) {
    return Motion(std::make_shared<const MotionSample>(MotionSample{0, position, velocity}), 1);
  }
  /// The motion of a point at a constant offset from the center of a body that does not turn. The offset is
  /// added to that of `body`. It is not checked here; contact_times checks the positions.
  SPHAERA_API static Motion beside(Motion body, const Vec3& from_center);
  /// The motion of a point fixed in a turning body; `from_center` is its vector from the body's center at
  /// time 0. It replaces the arm of `body`, if there is one. Spin and vector are not checked here;
  /// contact_times checks them.
  static Motion fixed_in(Motion body, const Spin& spin, const Vec3& from_center) {
    body.arm_ = {spin, from_center};
    return body;
  }

  /// The samples without offset and arm. Valid as long as this motion or one that shares them.
  std::span<const MotionSample> samples() const { return {first_.get(), first_ ? count_ : 0}; }
  /// Offset; (−0, −0, −0) if none, so adding it changes nothing.
  const Vec3& offset() const { return offset_; }
  /// The vector that turns; nullopt if there is none.
  const std::optional<TurningArm>& arm() const { return arm_; }

  /// Position at time t. On each axis off by at most 41·2^-53 (|p0| + |p1| + s|v0| + s|v1|) between two
  /// samples (p: positions with offset, v: velocities, s: time since the first), by 4·2^-53 (|p| + s|v|)
  /// before the first and after the last (s: time from it), and by 64·2^-53 of the arm's length more
  /// (engine/contacts/README.md, proof 3). Precondition: valid samples and spin, t finite; not checked.
  SPHAERA_API Vec3 at(double t) const;

 private:
  Motion(std::shared_ptr<const MotionSample> first, std::size_t count)
      : first_(std::move(first)), count_(count) {}

  std::shared_ptr<const MotionSample> first_;  ///< null: moved from
  std::size_t count_ = 0;
  Vec3 offset_{-0.0, -0.0, -0.0};
  std::optional<TurningArm> arm_{};
};

}  // namespace sphaera::inline SPHAERA_ABI
