#pragma once
/// \file Motions in parts, each a cubic, and how far a thing may get in a part of the time.

#include <cmath>
#include <exact/numbers/length.hpp>
#include <sphaera/motion.hpp>

namespace sphaera::geometry {

/// place(t) = c0 + c1 s + c2 s² + c3 s³, s = t − start, and what turns, if anything does.
struct MotionPiece {
  double start = 0;
  Vec3 c0{}, c1{}, c2{}, c3{};
  const TurningArm* arm = nullptr;  ///< of the motion, which lives longer
  bool uniform = true;              ///< not between samples, whose cubic misses the next one by its roundings

  Vec3 at(double t) const;
};

/// As Spin::turned and Motion::at, in the mode that the caller has set.
Vec3 turned(const Spin& spin, const Vec3& v, double t);
Vec3 place_at(const Motion& motion, double t);

/// The piece that holds at t and up to the next sample's time.
MotionPiece piece_at(const Motion& motion, double t);

/// A stretch of time: all t with |t − middle| ≤ half.
struct TimeSpan {
  double middle, half;
};

/// A place relative to another, and how far from it the truth may lie.
struct PositionBounds {
  Vec3 offset;
  double drift;
};

/// Where `to` may be from `from` in a stretch of time that lies in both pieces, however Motion::at rounds.
PositionBounds position_bounds(const MotionPiece& from, const MotionPiece& to, const TimeSpan& span);

}  // namespace sphaera::geometry
