#pragma once
/// \file When a point on a parabola is within a ball, exactly: a bullet under constant gravity.
///
/// f(t) = |L + D t + G t²/2|² − R², a quartic that opens upwards, is ≤ 0 on at most two intervals of the real
/// line: the inside intervals. Their ends are f's roots, each held by an interval of doubles and compared
/// exactly with roots of other balls' quartics. Stages: Bernstein coefficients in double, in double-double
/// (isolate.hpp), then Sturm's sequence on exact integers (sturm.hpp). No formula for the roots of a quartic
/// anywhere. Nothing allocates; the exact stage takes up to 1.5 MiB of stack.

#include <array>
#include <cstdint>
#include <exact/curves/quartic.hpp>
#include <exact/predicates/counts.hpp>
#include <sphaera/hit.hpp>

namespace sphaera::exact {

/// A root of a curve's f: the `rank`-th of `of` distinct ones with below < root < above, or `below` itself
/// where the ends are equal.
struct CurveRoot {
  double below = 0, above = 0;  ///< 0 ≤ below ≤ above ≤ ∞, < ∞ if of == 1 and not adjacent doubles
  std::int8_t slope = 0;        ///< −1 the bullet comes in, +1 goes out, 0 touches
  std::uint8_t rank = 1, of = 1;

  bool is_double() const { return below == above; }
};

/// A maximal interval of the real line with f ≤ 0, of length 0 at a touch.
struct InsideInterval {
  CurveRoot enter;             ///< 0 where it starts inside
  CurveRoot exit;              ///< not cut at the end; ∞ for a point at rest
  bool starts_inside = false;  ///< it began before 0
};

/// The inside intervals with enter ≤ end and exit ≥ 0, in order. The first one's contact is the curve's, by
/// Contact's definition: on the sphere at 0, a curve that goes out (or is at rest, or touches from inside)
/// starts inside; one that comes in or touches from outside enters.
struct InsideIntervals {
  int count = 0;
  std::array<InsideInterval, 2> interval;

  Contact contact() const {
    if (count == 0) return Contact::miss;
    return interval[0].starts_inside ? Contact::starts_inside : Contact::enters;
  }
};

InsideIntervals inside_intervals(const Curve& curve, Counts& counts);

/// What a bullet meets of the ball that it has just bounced off.
struct Departure {
  InsideIntervals intervals;  ///< without the start's own contact
  bool held;  ///< gravity lets it not leave: it rests on the ball, and must not fly on through it
};

/// The curve starts on the ball's surface, with f'(0) ≥ 0, both but for rounding. Left out is, without an
/// epsilon, the contact that it comes from: – f(0) ≤ 0: the interval that holds 0; – f(0) > 0 but falling,
/// which a bullet that leaves does by rounding alone: the interval that it falls into without
///   having risen. One that rises first and comes down again hits.
/// A bullet that leaves rises until it is out, after a dip of rounding's size at most. So it is `held` if
/// there is such a contact and f'(0) ≤ 0 and f''(0) ≤ 0 (it is pressed on), or if f' has a root before the
/// contact's exit, besides that of a dip, f'(0) < 0 < f''(0): its hop is lower than the rounding. All of it
/// is exact for the doubles given; a root of f' in the same gap of doubles as the exit counts as after it.
Departure departure(const Curve& curve, Counts& counts);

/// Sign of f(t): −1 inside, 0 on the sphere, +1 outside; 0 ≤ t < ∞.
int sign_power(const Curve& curve, double t, Counts& counts);

/// Sign of x − y, roots of two curves (of any two: the instants are compared, ties are real).
int compare(const Curve& a, const CurveRoot& x, const Curve& b, const CurveRoot& y, Counts& counts);

/// Sign of root − t, 0 ≤ t ≤ ∞, a sum of which hi is the nearest double.
int compare(const Curve& curve, const CurveRoot& root, const TwoDouble& t, Counts& counts);
inline int compare(const Curve& curve, const CurveRoot& root, double t, Counts& counts) {
  return compare(curve, root, TwoDouble{t, 0}, counts);
}

/// The double nearest to a root where f changes sign (an even multiple of the half-way point rounds down),
/// else one of the two next to it; ∞ beyond the largest double.
double time(const Curve& curve, const CurveRoot& root, Counts& counts);

}  // namespace sphaera::exact
