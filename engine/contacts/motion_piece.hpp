#pragma once
/// \file Motions as cubic pieces, and position bounds over a time span.

#include <cmath>
#include <exact/numbers/length.hpp>
#include <sphaera/motion.hpp>

namespace sphaera::contacts {

/// place(t) = c0 + c1 s + c2 s² + c3 s³, s = t − start, plus the arm that turns, if there is one.
struct MotionPiece {
  double start = 0;
  Vec3 c0{}, c1{}, c2{}, c3{};
  const TurningArm* arm = nullptr;  ///< of the motion, which must outlive this piece
  bool uniform = true;  ///< false between two samples, where rounding makes the cubic miss the second

  Vec3 at(double t) const;
};

/// Sample i of a motion, its position with the motion's offset.
inline MotionSample sample_of(const Motion& motion, std::size_t i) {
  const MotionSample& s = motion.samples()[i];
  return {s.time, s.position + motion.offset(), s.velocity};
}

/// As Spin::turned and Motion::at. Precondition: the caller has set the floating-point mode.
Vec3 turned(const Spin& spin, const Vec3& v, double t);
Vec3 position_at(const Motion& motion, double t);

/// The piece that is valid from t to the next sample's time.
MotionPiece piece_at(const Motion& motion, double t);

/// A time range: all t with |t − middle| ≤ half.
struct TimeSpan {
  double middle, half;
};

/// A relative position and its error: the true position lies within `drift` of `offset`.
struct PositionBounds {
  Vec3 offset;
  double drift;
};

/// Position bounds of `to` relative to `from` over a time range that lies in both pieces. They include the
/// rounding of Motion::at.
PositionBounds position_bounds(const MotionPiece& from, const MotionPiece& to, const TimeSpan& span);

}  // namespace sphaera::contacts
