#pragma once
/// \file The exact time intervals in which a point on a parabola is inside a ball: a bullet under constant
/// gravity.
///
/// f(t) = |L + D t + G t²/2|² − R² is a quartic that opens upwards. f ≤ 0 on at most two intervals of the
/// real line: the inside intervals. Their ends are roots of f; each root is enclosed by an interval of
/// doubles and compared exactly with roots of other balls' quartics. Stages: Bernstein coefficients in
/// double, then in double-double (isolate.hpp), then Sturm's sequence on exact integers (sturm.hpp). The
/// quartic formula is never used. Nothing allocates; the exact stage uses up to 1.5 MiB of stack.

#include <array>
#include <cstdint>
#include <exact/curves/quartic.hpp>
#include <exact/predicates/counts.hpp>
#include <sphaera/hit.hpp>

namespace sphaera::exact {

/// A root of a curve's f: the `rank`-th of `of` distinct roots with below < root < above, or `below` itself
/// if the ends are equal. Unless the ends are equal or adjacent doubles (∞ follows the largest double), `of`
/// is 1, `above` is finite and f changes sign at the root.
struct CurveRoot {
  double below = 0, above = 0;  ///< 0 ≤ below ≤ above ≤ ∞
  std::int8_t slope = 0;        ///< −1 the bullet enters, +1 it leaves, 0 it touches
  std::uint8_t rank = 1, of = 1;

  bool is_double() const { return below == above; }
};

/// A maximal interval of the real line with f ≤ 0; its length is 0 at a touch.
struct InsideInterval {
  CurveRoot enter;             ///< 0 if it starts inside
  CurveRoot exit;              ///< not cut at the curve's end; ∞ for a point at rest
  bool starts_inside = false;  ///< the interval begins before 0
};

/// The inside intervals with enter ≤ end and exit ≥ 0, in order. The contact of the first interval is the
/// curve's contact, by Contact's definition. On the sphere at 0, a curve that leaves (or is at rest, or
/// touches from inside) starts inside; a curve that enters or touches from outside enters.
struct InsideIntervals {
  int count = 0;
  std::array<InsideInterval, 2> interval;

  Contact contact() const {
    if (count == 0) return Contact::miss;
    return interval[0].starts_inside ? Contact::starts_inside : Contact::enters;
  }
};

InsideIntervals inside_intervals(const Curve& curve, Counts& counts);

/// The later contacts of a bullet with the ball that it has just bounced off.
struct Departure {
  InsideIntervals intervals;  ///< without the contact at the start
  bool held;  ///< gravity keeps the bullet on the ball: it rests there and must not fly on through the ball
  bool omits_first;  ///< there was a contact at the start: the curve's first interval is omitted
};

/// The curve starts on the ball's surface with f'(0) ≥ 0, both up to rounding. The contact at the start is
/// omitted, without an epsilon:
/// - f(0) ≤ 0: the interval that holds 0 is omitted;
/// - f(0) > 0 and f falls at 0: for a leaving bullet only rounding can cause this. The first interval is
/// omitted if f falls all the way into it. If f rises in between, the first interval is a new hit.
///
/// For a bullet that leaves, f rises until the bullet is outside; rounding may let f fall briefly first. So
/// the bullet is `held` if there is a contact at the start and one of these holds:
/// - f'(0) ≤ 0 and f''(0) ≤ 0: gravity presses it against the ball;
/// - f' has a root before the contact's exit: the bullet's hop is lower than the rounding. If f'(0) < 0 <
/// f''(0), f falls briefly first, and the root of f' at which f begins to rise does not count.
///
/// All decisions are exact for the input doubles. A root of f' in the same gap between doubles as the exit
/// counts as after the exit.
Departure departure(const Curve& curve, Counts& counts);

/// Sign of f(t): −1 inside, 0 on the sphere, +1 outside; 0 ≤ t < ∞.
int sign_power(const Curve& curve, double t, Counts& counts);

/// Sign of x − y for roots of two curves, which may belong to different balls. The result 0 is an exact tie.
int compare(const Curve& a, const CurveRoot& x, const Curve& b, const CurveRoot& y, Counts& counts);

/// Sign of root − t, 0 ≤ t ≤ ∞; t is a sum whose hi is the nearest double.
int compare(const Curve& curve, const CurveRoot& root, const TwoDouble& t, Counts& counts);
inline int compare(const Curve& curve, const CurveRoot& root, double t, Counts& counts) {
  return compare(curve, root, TwoDouble{t, 0}, counts);
}

/// The double nearest to the root, if f changes sign there and no other root lies between the same adjacent
/// doubles; a root half-way between them rounds down, and so does any root below 2^-1021. For other roots the
/// upper of the two adjacent doubles. ∞ beyond the largest double.
double time(const Curve& curve, const CurveRoot& root, Counts& counts);

}  // namespace sphaera::exact
