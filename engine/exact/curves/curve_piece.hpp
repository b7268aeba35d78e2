#pragma once
/// \file A bullet under gravity and a sphere during a short piece of the flight: does the bullet enter the
/// sphere, and between which times? In double, about 20 ns; the curve (curve.hpp) decides where this is
/// unsure.
///
/// With c the middle of the piece and h half its duration, f(c + hx) = q0 + q1 x + … + q4 x⁴ for −1 ≤ x ≤ 1.
/// Where f'' is certainly positive, f has one minimum: the bullet misses if the minimum is positive, and
/// enters once if the minimum is negative and f(−1) positive. Error bounds: engine/exact/proofs.md, proof 8.

#include <exact/curves/curve_filter.hpp>
#include <exact/numbers/length.hpp>
#include <exact/predicates/in_motion.hpp>

namespace sphaera::exact {

/// What a piece of a flight does to a sphere.
enum class PieceContact : std::uint8_t {
  none,        ///< f > 0 throughout
  inside,      ///< f < 0 at the start of the piece: the bullet may leave the sphere and does not return
  enters,      ///< f > 0 at the start, and the bullet enters once, between `low` and `high`
  undecided,   ///< rounding hides the answer, or the bullet may enter more than once
  not_convex,  ///< f may have several minima: shorter pieces may decide
};

struct PieceEntry {
  PieceContact contact;
  double low = 0, high = 0;
};

/// Decides for f as a polynomial in x on [−1, 1]; `low` and `high` of its result are values of x.
class LocalDecision {
 public:
  SPHAERA_INLINE explicit LocalDecision(const LocalQuartic& p)
      : p_(p), q_(p.q), least_second_derivative_(2 * q_[2] - 6 * __builtin_fabs(q_[3]) - 8 * p.error) {}

  /// f'' is certainly positive on [−1, 1].
  SPHAERA_INLINE bool convex() const { return least_second_derivative_ > 0; }
  /// f certainly rises on [−1, 1] and is positive at 1.
  SPHAERA_INLINE bool rises() const { return convex() && slope(-1) > 5 * p_.error && value(1) > p_.error; }

  SPHAERA_INLINE PieceEntry entry() const {
    if (!convex()) return {PieceContact::not_convex};
    double x = clamped(-q_[1] / (2 * q_[2]), 1), f = value(x);
    for (int step = 0; step < 3; ++step) {
      const double df = slope(x);
      if (least(x, f, df) > 0) return {PieceContact::none};
      const double next = clamped(x - df / second_derivative(x), 1);
      if (next == x) break;
      x = next, f = value(x);
    }
    if (!(f < -p_.error)) return {PieceContact::undecided};
    const double first = value(-1);
    if (first < -p_.error) return {PieceContact::inside};
    if (!(first > p_.error)) return {PieceContact::undecided};
    return between(x, f);
  }

 private:
  SPHAERA_INLINE double value(double x) const {
    return q_[0] + x * (q_[1] + x * (q_[2] + x * (q_[3] + x * q_[4])));
  }
  SPHAERA_INLINE double slope(double x) const {
    return q_[1] + x * (2 * q_[2] + x * (3 * q_[3] + x * (4 * q_[4])));
  }
  SPHAERA_INLINE double second_derivative(double x) const {
    return 2 * q_[2] + x * (6 * q_[3] + x * (12 * q_[4]));
  }
  SPHAERA_INLINE static double clamped(double x, double most) {
    x = x > -1 ? x : -1;
    return x < most ? x : most;
  }

  /// A lower bound of f from its value `f` and slope `df` at x: f lies above a parabola that touches it at x
  /// and has the lower bound of f'' as second derivative. If x is an end and f rises from there into the
  /// piece, f is least at x.
  SPHAERA_INLINE double least(double x, double f, double df) const {
    const double e = p_.error, steepest = __builtin_fabs(df) + 5 * e;
    const bool at_end = (x == -1 && df > 5 * e) || (x == 1 && df < -5 * e);
    return f - e - (at_end ? 0 : steepest * steepest / (2 * least_second_derivative_));
  }

  /// Bounds of the root between −1 and x, where f has the value `f` < 0. A bound that cannot be proven is
  /// replaced by −1 or x.
  SPHAERA_INLINE PieceEntry between(double x, double f) const {
    const double e = p_.error, df = slope(x), ddf = second_derivative(x);
    double root = clamped(x - (df + __builtin_sqrt(df * df - 2 * f * ddf)) / ddf, x);
    for (int step = 0; step < 3; ++step) root = clamped(root - value(root) / slope(root), x);
    constexpr double narrowest = 0x1p-50;
    const double width = 4 * e / __builtin_fabs(slope(root)) + narrowest;
    double low = root - width, high = root + width;
    if (!(low > -1 && value(low) > e)) low = -1;
    if (!(high < x && value(high) < -e)) high = x;
    return {PieceContact::enters, low, high};
  }

  const LocalQuartic& p_;
  const double (&q_)[5];
  double least_second_derivative_;
};

/// The piece of a flight from `from` to `to`, 0 ≤ from ≤ to ≤ 2^201, prepared for many spheres.
class CurvePiece {
 public:
  SPHAERA_INLINE CurvePiece(const Flight& flight, const Vec3& gravity, double from, double to)
      : flight_(flight),
        gravity_(gravity),
        from_(from),
        to_(to),
        center_(0.5 * (from + to)),
        half_(0.5 * (to - from) + 4 * u * to) {
    const Vec3& d = flight.path.direction;
    const double c = center_, half_square = 0.5 * c * c, fastest = filter::largest(filter::absolute(d)),
                 strongest = filter::largest(filter::absolute(gravity));
    moved_ = c * d + half_square * gravity, speed_ = d + c * gravity;
    turn_ = (half_ * half_) * gravity;
    path_size_ = c * fastest + half_square * strongest, speed_size_ = fastest + c * strongest;
    turn_square_ = 0.25 * dot(turn_, turn_);
  }

  double from() const { return from_; }
  double middle() const { return center_; }
  double half() const { return half_; }

  /// f on [c − h, c + h], which holds the piece.
  SPHAERA_INLINE LocalQuartic quartic(const Sphere& sphere, const Vec3* velocity) const {
    const Vec3 l = flight_.path.origin - sphere.center;
    Vec3 v = l + moved_, w = half_ * speed_;
    double sizes = filter::largest(filter::absolute(l)) + path_size_, speeds = speed_size_;
    if (velocity) {
      const double time = flight_.start + center_, fastest = filter::largest(filter::absolute(*velocity));
      v = l + (moved_ - time * *velocity), w = half_ * (speed_ - *velocity);
      sizes += __builtin_fabs(time) * fastest, speeds += fastest;
    }
    const double r = sphere.radius + flight_.radius, r2 = r * r,
                 s = one_norm(v) + one_norm(w) + one_norm(turn_),
                 e = u * (5.3 * sizes + 4.3 * half_ * speeds + 2.1 * one_norm(turn_));
    const double error = 1.01 * (e * (2 * s + 3 * e) + 24 * u * (s * s + r2)) + length_floor;
    return {{dot(v, v) - r2, 2 * dot(v, w), dot(w, w) + dot(v, turn_), dot(w, turn_), turn_square_}, error};
  }

  /// The contact in the piece; where f may have several minima, four shorter pieces decide.
  SPHAERA_INLINE PieceEntry entry(const Sphere& sphere, const Vec3* velocity) const {
    const PieceEntry found = entry_here(sphere, velocity);
    return found.contact != PieceContact::not_convex ? found : entry_in_parts(sphere, velocity);
  }

  /// True if the bullet certainly moves away from the sphere during the whole piece, and is outside at its
  /// end.
  bool leaves(const Sphere& sphere, const Vec3* velocity) const {
    const LocalQuartic p = quartic(sphere, velocity);
    return LocalDecision(p).rises();
  }

 private:
  static constexpr int parts = 4;

  SPHAERA_INLINE PieceEntry entry_here(const Sphere& sphere, const Vec3* velocity) const {
    const LocalQuartic p = quartic(sphere, velocity);
    const PieceEntry x = LocalDecision(p).entry();
    if (x.contact != PieceContact::enters) return x;
    const double slack = 4 * u * (center_ + half_), low = (center_ + half_ * x.low) - slack,
                 high = (center_ + half_ * x.high) + slack;
    if (!(low >= from_ && high <= to_)) return {PieceContact::undecided};  // perhaps beyond the piece
    return {PieceContact::enters, low, high};
  }

  /// Decides each quarter of the piece by itself: the bullet may rise through the sphere and fall into it
  /// again.
  [[gnu::noinline]] PieceEntry entry_in_parts(const Sphere& sphere, const Vec3* velocity) const {
    PieceEntry only{PieceContact::none};
    double begin = from_;
    for (int i = 1; i <= parts; ++i) {
      const double end = i < parts ? from_ + (to_ - from_) * (static_cast<double>(i) / parts) : to_;
      const PieceEntry found = CurvePiece(flight_, gravity_, begin, end).entry_here(sphere, velocity);
      if (found.contact == PieceContact::not_convex || found.contact == PieceContact::undecided)
        return {PieceContact::undecided};
      if (found.contact == PieceContact::enters && only.contact != PieceContact::none)
        return {PieceContact::undecided};  // a second contact with the sphere
      if (found.contact == PieceContact::enters || (found.contact == PieceContact::inside && i == 1))
        only = found;
      begin = end;
    }
    return only;
  }

  const Flight& flight_;
  const Vec3& gravity_;
  double from_, to_, center_, half_;
  Vec3 moved_, speed_, turn_;  ///< V c + G c²/2, V + G c, h² G
  double path_size_, speed_size_, turn_square_;
};

}  // namespace sphaera::exact
