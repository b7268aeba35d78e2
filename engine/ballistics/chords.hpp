#pragma once
/// \file A parabola as straight chords with a bounded margin, which is how the index traverses it, and the
/// time after which the parabola has left a box for good.

#include <cstdint>
#include <sphaera/ray.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::ballistics {

/// origin + velocity·t + gravity·t²/2, t ≥ 0; all finite, lengths, velocities and gravity ≤ 2^201.
struct Parabola {
  Vec3 origin, velocity, gravity;

  /// Rounded; `Chord::margin` includes the rounding error.
  Vec3 at(double t) const;
};

/// One chord of a flight.
struct Chord {
  double t_from, t_to;
  Segment segment;
  double margin;  ///< bound of the distance between the flight, t_from to t_to, and the segment
};

/// A flight from `from` to `until`, 0 ≤ from ≤ until ≤ 2^200, in chords of equal duration; each chord starts
/// at the time at which the previous one ends. There are as many chords as a margin of `margin` > 0 needs,
/// but at most `max_chords`; with that number the margins are larger and still valid.
///
/// L(t) is the point at time t on the straight line from the flight's place at t0 to its place at t1 = t0 +
/// h. In between, the flight is at L(t) − G s, s = (t − t0)(t1 − t)/2 ≤ h²/8. The segment is that line moved
/// by −G h²/16, so the flight is off by at most |G|h²/16.
///
/// The segment's ends are rounded. A component of at(t) is a sum of three products, off by ≤ 4.2u magnitude,
/// magnitude = |O| + |V|t + |G|t²/2. |G|h²/16 ≤ magnitude/8 adds 2u of that and u of the sum, which is ≤ 1.2
/// magnitude. So the segment is off by ≤ √3 · 5.7u magnitude < 12u magnitude, with the largest magnitude of
/// the three components.
class Chords {
 public:
  static constexpr std::int64_t max_chords = std::int64_t{1} << 20;

  Chords(const Parabola& flight, double from, double until, double margin);

  std::int64_t size() const { return size_; }  ///< ≥ 1
  Chord operator[](std::int64_t i) const;

 private:
  double time(std::int64_t i) const;

  Parabola flight_;
  double from_, until_, strength_;
  std::int64_t size_;
};

/// A time ≥ 0 after which the flight never again meets the closed box lower ≤ x ≤ upper. It is the least,
/// over the axes, of the last time between the bounds of one axis. Each of these exceeds the exact time by ≤
/// 64u of it if nothing cancels. ∞ only for a bullet at rest in the box, or if components near the smallest
/// doubles make the time not finite.
double last_time_near(const Parabola& flight, const Vec3& lower, const Vec3& upper);

}  // namespace sphaera::ballistics
