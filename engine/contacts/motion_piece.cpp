#include <algorithm>
#include <base/floating_point_environment.hpp>
#include <contacts/motion_piece.hpp>
#include <exact/numbers/arithmetic.hpp>
#include <exact/numbers/elementary.hpp>
#include <exact/numbers/power_of_two.hpp>
#include <numbers>

namespace sphaera {
namespace contacts {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;

/// Error: 4.5u (length 2.5u, inverse and product u each); of its direction: u.
Vec3 unit(const Vec3& v) {
  const Vec3 scaled = exact::inverse_scale(v) * v;
  return (1 / exact::length(scaled)) * scaled;
}

MotionPiece uniform(const MotionSample& sample) { return {sample.time, sample.position, sample.velocity}; }

/// Positions and velocities of two samples: with Δ the mean velocity over h between them,
/// c2 = (3Δ − 2v0 − v1)/h, c3 = (v0 + v1 − 2Δ)/h².
MotionPiece hermite(const MotionSample& a, const MotionSample& b) {
  const double h = b.time - a.time;
  const Vec3 mean = (1 / h) * (b.position - a.position), &v0 = a.velocity, &v1 = b.velocity;
  const Vec3 c2 = (1 / h) * (3 * mean - 2 * v0 - v1), c3 = (1 / h) * ((1 / h) * (v0 + v1 - 2 * mean));
  return {a.time, a.position, v0, c2, c3, nullptr, false};
}

/// Place, velocity, half the acceleration and a sixth of the jerk at t.
struct Expansion {
  Vec3 position, first, second, third;
};

Expansion expand(const MotionPiece& p, double t) {
  const double s = t - p.start;
  return {p.at(t), p.c1 + s * (2 * p.c2 + 3 * s * p.c3), p.c2 + 3 * s * p.c3, p.c3};
}

/// Σ |c_k| s^k for the largest |s|, plus the length of the arm.
double size(const MotionPiece& p, const TimeSpan& span) {
  const double s = std::fabs(span.middle - p.start) + span.half;
  const double arm = p.arm == nullptr ? 0 : exact::length(p.arm->arm);
  return arm + exact::length(p.c0) +
         s * (exact::length(p.c1) + s * (exact::length(p.c2) + s * exact::length(p.c3)));
}

/// Upper bound of the distance that the arm's end moves within the time x. The end turns by the angle ωx on a
/// circle of radius a, so the distance is the chord 2a sin(ωx/2) ≤ a min(2, ωx). The product is off by
/// 12u of itself (the factor below takes 16u) and by 4.4u a, which `rounding` includes.
double swing(const MotionPiece& p, double x) {
  if (p.arm == nullptr) return 0;
  const auto& [spin, arm] = *p.arm;
  const double radius = exact::length(cross(unit(spin.axis), arm));
  return radius * std::min(2.0, full_turn / std::fabs(spin.period) * x) * (1 + 16 * exact::u);
}

/// What rounding adds to the drift, in u·size (the share of a cubic and of an arm each of its own part). x is
/// half the span, d_k are the differences of the Taylor coefficients of two motions at its middle.
/// - Between samples: Horner's rule 2·10 (at the middle and at t); s²c2 59 and s³c3 40, by which the piece
///   misses the next sample (hΔ ≤ 2 size, h v0 ≤ size, h v1 ≤ 3 size, 2 roundings each, and the sums); x d1
///   24; x²d2, x³d3 and the sums 40; the difference of places 1: 184.
/// - The arm: 2·64, its length and radius 8, the sums 3: 139.
/// - Uniform, without an arm: s, its product and the sum 2·3; x d1 and its length 8; places 1; sums 4: 19.
double rounding(const MotionPiece& p, const TimeSpan& span) {
  const double roundings = p.uniform && p.arm == nullptr ? 32 : 256;
  return roundings * exact::u * size(p, span);
}

MotionPiece cubic_at(const Motion& motion, double t) {
  const auto samples = motion.samples();
  const auto found = std::upper_bound(samples.begin(), samples.end(), t,
                                      [](double time, const MotionSample& s) { return time < s.time; });
  const auto next = static_cast<std::size_t>(found - samples.begin());
  if (next == 0) return uniform(sample_of(motion, 0));
  if (next == samples.size()) return uniform(sample_of(motion, next - 1));
  return hermite(sample_of(motion, next - 1), sample_of(motion, next));
}

}  // namespace

Vec3 MotionPiece::at(double t) const {
  const double s = t - start;
  const Vec3 position = c0 + s * (c1 + s * (c2 + s * c3));
  return arm == nullptr ? position : position + turned(arm->spin, arm->arm, t);
}

MotionPiece piece_at(const Motion& motion, double t) {
  MotionPiece piece = cubic_at(motion, t);
  if (motion.arm()) piece.arm = &*motion.arm();
  return piece;
}

/// Without arms, |p(m + x) − p(m)| ≤ x(|d1| + x(|d2| + x|d3|)) for the relative position p, with d_k the
/// difference of the k-th terms of the expansions at the middle m. The arms add `swing`, rounding `rounding`.
PositionBounds position_bounds(const MotionPiece& from, const MotionPiece& to, const TimeSpan& span) {
  const Expansion a = expand(from, span.middle), b = expand(to, span.middle);
  const double x = span.half;
  const double drift = x * (exact::length(b.first - a.first) +
                            x * (exact::length(b.second - a.second) + x * exact::length(b.third - a.third)));
  return {b.position - a.position,
          drift + swing(from, x) + swing(to, x) + rounding(from, span) + rounding(to, span)};
}

/// Rodrigues' formula. Its error is less than 64u|v|, in u|v|: k is off by 4.5; the angle 2.4π < 7.6 (2π, a
/// quotient, a product); c and s, whose errors are orthogonal, 1.1; c v 1; s (k × v) 7.7 (k 4.5, the vector
/// product 2.2, the product 1); (1 − c)(k·v) k 2·15 (1 − c 1, k twice 4.5, k·v 3, two products); two sums 2:
/// less than 50 in all.
Vec3 turned(const Spin& spin, const Vec3& v, double t) {
  const double angle = full_turn * (std::remainder(t, spin.period) / spin.period);
  const double c = exact::cosine(angle), s = exact::sine(angle);
  const Vec3 k = unit(spin.axis);
  return c * v + s * cross(k, v) + (1 - c) * dot(k, v) * k;
}

Vec3 position_at(const Motion& motion, double t) { return piece_at(motion, t).at(t); }

}  // namespace contacts

Vec3 Spin::turned(const Vec3& v, double t) const {
  const base::FloatingPointEnvironment mode;
  return contacts::turned(*this, v, t);
}

Motion Motion::beside(Motion body, const Vec3& from_center) {
  const base::FloatingPointEnvironment mode;
  body.offset_ = body.offset_ + from_center;
  return body;
}

Vec3 Motion::at(double t) const {
  const base::FloatingPointEnvironment mode;
  return contacts::position_at(*this, t);
}

}  // namespace sphaera
