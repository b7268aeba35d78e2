#include <algorithm>
#include <exact/arithmetic.hpp>
#include <geometry/motion.hpp>

namespace sphaera {
namespace geometry {
namespace {

MotionPiece uniform(const MotionSample& sample) { return {sample.time, sample.position, sample.velocity}; }

/// Positions and velocities of two samples: with Δ the mean velocity over h between them,
/// c2 = (3Δ − 2v0 − v1)/h, c3 = (v0 + v1 − 2Δ)/h².
MotionPiece hermite(const MotionSample& a, const MotionSample& b) {
  const double h = b.time - a.time;
  const Vec3 mean = (1 / h) * (b.position - a.position), &v0 = a.velocity, &v1 = b.velocity;
  const Vec3 c2 = (1 / h) * (3 * mean - 2 * v0 - v1), c3 = (1 / h) * ((1 / h) * (v0 + v1 - 2 * mean));
  return {a.time, a.position, v0, c2, c3};
}

/// place, velocity, half the acceleration, a sixth of the jerk at t.
struct Expansion {
  Vec3 place, first, second, third;
};

Expansion expand(const MotionPiece& p, double t) {
  const double s = t - p.start;
  return {p.at(t), p.c1 + s * (2 * p.c2 + 3 * s * p.c3), p.c2 + 3 * s * p.c3, p.c3};
}

/// Σ |c_k| s^k for the largest |s|.
double size(const MotionPiece& p, const TimeSpan& span) {
  const double s = std::fabs(span.middle - p.start) + span.half;
  return length(p.c0) + s * (length(p.c1) + s * (length(p.c2) + s * length(p.c3)));
}

}  // namespace

Vec3 MotionPiece::at(double t) const {
  const double s = t - start;
  return c0 + s * (c1 + s * (c2 + s * c3));
}

MotionPiece piece_at(const Motion& motion, double t) {
  const auto& samples = motion.samples;
  const auto next = std::upper_bound(samples.begin(), samples.end(), t,
                                     [](double time, const MotionSample& s) { return time < s.time; });
  if (next == samples.begin()) return uniform(*next);
  if (next == samples.end()) return uniform(*(next - 1));
  return hermite(*(next - 1), *next);
}

/// |place(m + x) − place(m)| ≤ x(|d1| + x(|d2| + x|d3|)). Rounding, in u times `size`, s = |t − start|:
/// Horner's rule 10; the coefficients of a cubic, which make it miss the next sample, where that sample's own
/// piece begins: s²c2 59, s³c3 40 (from 2 for h Δ ≤ 2 size, h v0 ≤ size, h v1 ≤ 3 size and the sums); x d1
/// 24; x²d2, x³d3 and the sums of what they are at most 40. Less than 256.
Whereabouts whereabouts(const MotionPiece& from, const MotionPiece& to, const TimeSpan& span) {
  const Expansion a = expand(from, span.middle), b = expand(to, span.middle);
  const double x = span.half;
  const double drift =
      x * (length(b.first - a.first) + x * (length(b.second - a.second) + x * length(b.third - a.third)));
  return {b.place - a.place, drift + 256 * exact::u * (size(from, span) + size(to, span))};
}

}  // namespace geometry

Vec3 Motion::at(double t) const { return geometry::piece_at(*this, t).at(t); }

}  // namespace sphaera
