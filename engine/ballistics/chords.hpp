#pragma once
/// \file A parabola as a walk through an index sees it: straight chords that leave it by a bounded margin,
/// and the time after which it is out of a box for good.

#include <cstdint>
#include <sphaera/ray.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::geometry {

/// origin + velocity·t + gravity·t²/2, t ≥ 0; all finite, lengths, velocities and gravity ≤ 2^201.
struct Parabola {
  Vec3 origin, velocity, gravity;

  /// Rounded; what that costs is in `Chord::margin`.
  Vec3 at(double t) const;
};

/// A part of a flight.
struct Chord {
  double t_from, t_to;
  Segment segment;
  double margin;  ///< the flight from t_from to t_to keeps within this of the segment
};

/// A flight from `from` to `until`, 0 ≤ from ≤ until ≤ 2^200, in chords of equal times, each ending where and
/// when the next begins. As many as it takes for a sagitta of `margin` > 0, but at most `most_chords`: then
/// the margin is larger, and as right.
///
/// Between t0 and t1 = t0 + h the flight is off the point of the chord at the same time by G (t − t0)(t1 −
/// t)/2, at most |G|h²/8. The segment's ends are rounded: a component of at(t) is a sum of three products,
/// off by ≤ 4.2u reach, reach = |O| + |V|t + |G|t²/2, so that the segment is off by ≤ √3 · 4.2u reach < 8u
/// reach, reach the largest of the components'.
class Chords {
 public:
  static constexpr std::int64_t most_chords = std::int64_t{1} << 20;

  Chords(const Parabola& flight, double from, double until, double margin);

  std::int64_t size() const { return size_; }  ///< ≥ 1
  Chord operator[](std::int64_t i) const;

 private:
  double time(std::int64_t i) const;

  Parabola flight_;
  double from_, until_;
  std::int64_t size_;
};

/// A time ≥ 0 from which on the flight never again meets the closed box lower ≤ x ≤ upper: above the last
/// such time by ≤ 64u of it where nothing cancels. ∞ only where velocity and gravity are 0 on every axis on
/// which the origin is not outside: a bullet that rests in the box (or, for components near the least
/// doubles, where it would not be finite).
double last_time_near(const Parabola& flight, const Vec3& lower, const Vec3& upper);

}  // namespace sphaera::geometry
