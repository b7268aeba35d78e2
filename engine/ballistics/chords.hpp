#pragma once
/// \file A parabola as straight chords with a bounded margin, which is how the index traverses it, and the
/// time after which the parabola has left a box for good.

#include <cstdint>
#include <exact/numbers/arithmetic.hpp>
#include <exact/numbers/length.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::ballistics {

/// origin + velocity·t + gravity·t²/2, t ≥ 0; all finite, lengths, velocities and gravity ≤ 2^201.
struct Parabola {
  Vec3 origin, velocity, gravity;

  /// Rounded; `Chord::margin` includes the rounding error.
  SPHAERA_INLINE Vec3 at(double t) const { return (origin + t * velocity) + (0.5 * t * t) * gravity; }
};

/// One chord of a flight.
struct Chord {
  double t_from, t_to;
  Segment segment;
  double margin;  ///< bound of the distance between the flight, t_from to t_to, and the segment
};

/// A flight from `from` to `until`, 0 ≤ from ≤ until ≤ 2^200, in chords of equal duration; each chord starts
/// at the time at which the previous one ends. There are as many chords as a margin of `margin` needs,
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
  static constexpr std::int32_t max_chords = 64;  ///< ChordPlan needs 23

  Chords() = default;  ///< none
  Chords(const Parabola& flight, double from, double until, double margin)
      : Chords(flight, exact::length(flight.gravity), from, until, margin) {}
  /// `strength`: |gravity|.
  SPHAERA_INLINE Chords(const Parabola& flight, double strength, double from, double until, double margin);
  /// Chords whose number is known already; 0: none.
  SPHAERA_INLINE static Chords of(const Parabola& flight, double strength, double from, double until,
                                  std::int32_t count) {
    Chords chords;
    chords.flight_ = flight, chords.from_ = from, chords.until_ = until, chords.strength_ = strength;
    chords.size_ = count;
    return chords;
  }

  std::int32_t size() const { return size_; }  ///< ≥ 1, or 0 if there are none
  SPHAERA_INLINE Chord operator[](std::int32_t i) const;
  SPHAERA_INLINE double time(std::int32_t i) const;  ///< the start of chord i, the end of chord i − 1

  const Parabola& flight() const { return flight_; }
  double from() const { return from_; }
  double until() const { return until_; }
  double strength() const { return strength_; }

 private:
  Parabola flight_{};
  double from_ = 0, until_ = 0, strength_ = 0;
  std::int32_t size_ = 0;
};

SPHAERA_INLINE Chords::Chords(const Parabola& flight, double strength, double from, double until,
                              double margin)
    : flight_(flight), from_(from), until_(until), strength_(strength) {
  constexpr double most = max_chords;
  const double wanted = (until - from) * (__builtin_sqrt(strength) / (4 * __builtin_sqrt(margin))),
               bounded = wanted < most ? wanted : most;  // NaN: most
  const auto below = static_cast<std::int32_t>(bounded),
             rounded_up = below + static_cast<std::int32_t>(static_cast<double>(below) < bounded);
  size_ = rounded_up + static_cast<std::int32_t>(rounded_up == 0);
}

SPHAERA_INLINE double Chords::time(std::int32_t i) const {
  const double between = from_ + (until_ - from_) * (static_cast<double>(i) / static_cast<double>(size_)),
               early = until_ < between ? until_ : between, later = i == size_ ? until_ : early;
  return i == 0 ? from_ : later;
}

SPHAERA_INLINE Chord Chords::operator[](std::int32_t i) const {
  const double t0 = time(i), t1 = time(i + 1), h = t1 - t0, half_square = 0.5 * t1 * t1;
  const Vec3 &o = flight_.origin, &v = flight_.velocity, &g = flight_.gravity;
  const auto magnitude = [&](double x, double dx, double ddx) SPHAERA_INLINE_LAMBDA {
    return __builtin_fabs(x) + t1 * __builtin_fabs(dx) + half_square * __builtin_fabs(ddx);
  };
  const double x = magnitude(o.x, v.x, g.x), y = magnitude(o.y, v.y, g.y), z = magnitude(o.z, v.z, g.z),
               xy = x < y ? y : x, farthest = xy < z ? z : xy;
  const double sixteenth = h * h * 0.0625;
  const Vec3 aside = sixteenth * g;
  // 2^-500 covers the loss of products to underflow, even scaled by times ≤ 2^400.
  const double margin = (strength_ * sixteenth + 12 * exact::u * farthest) * (1 + 16 * exact::u) + 0x1p-500;
  return {t0, t1, {flight_.at(t0) - aside, flight_.at(t1) - aside}, margin};
}

/// A time ≥ 0 after which the flight never again meets the closed box lower ≤ x ≤ upper. It is the least,
/// over the axes, of the last time between the bounds of one axis. Each of these exceeds the exact time by ≤
/// 64u of it if nothing cancels. ∞ only for a bullet at rest in the box, or if components near the smallest
/// doubles make the time not finite.
SPHAERA_INLINE double last_time_near(const Parabola& flight, const Vec3& lower, const Vec3& upper);

/// An upper bound of the last time at which x0 + v t + g t²/2 ≤ 0; 0 if there is none. Precondition: g > 0.
/// x0 is off by `slack`. Selects instead of branches: the signs of v and x0 are not predictable.
SPHAERA_INLINE double last_time_below(double x0, double v, double g, double slack) {
  using exact::u;
  constexpr double underflow = 0x1p-1060;  // covers the loss of products, ≤ 2^-1074 each
  const double x = x0 - slack, square = v * v, fall = 2 * g * __builtin_fabs(x), sum = square + fall;
  const double lower = sum > underflow ? sum - underflow : 0, signed_sum = x > 0 ? square - fall : sum,
               upper = signed_sum + (8 * u * sum + underflow), discriminant = v > 0 ? lower : upper;
  const double root = __builtin_sqrt(discriminant), dividend = v > 0 ? -2 * x : root - v,
               divisor = v > 0 ? v + root : g, last = dividend / divisor * (1 + 16 * u) + underflow;
  return last > 0 ? last : 0;  // NaN, the root of a negative number: no such time
}
/// The same without gravity. Precondition: v > 0.
SPHAERA_INLINE double last_time_below(double x0, double v, double slack) {
  const double x = x0 - slack, last = -x / v * (1 + 8 * exact::u) + 0x1p-1060;
  return x > 0 ? 0 : last;
}

/// The last time within the bounds on one axis; ∞ if the flight does not leave them.
SPHAERA_INLINE double last_time_within(double o, double v, double g, double lower, double upper) {
  const bool rises = (g > 0) | ((g == 0) & (v > 0)), outside = (o < lower) | (o > upper);
  const double x0 = rises ? o - upper : lower - o, slack = __builtin_fabs(x0) * 2 * exact::u,
               away = rises ? v : -v, falling = last_time_below(x0, away, __builtin_fabs(g), slack),
               straight = last_time_below(x0, away, slack), resting = outside ? 0 : infinity,
               without = v != 0 ? straight : resting;
  return g != 0 ? falling : without;
}

SPHAERA_INLINE double last_time_near(const Parabola& f, const Vec3& lower, const Vec3& upper) {
  const double x = last_time_within(f.origin.x, f.velocity.x, f.gravity.x, lower.x, upper.x),
               y = last_time_within(f.origin.y, f.velocity.y, f.gravity.y, lower.y, upper.y),
               z = last_time_within(f.origin.z, f.velocity.z, f.gravity.z, lower.z, upper.z),
               xy = y < x ? y : x;
  return z < xy ? z : xy;
}

}  // namespace sphaera::ballistics
