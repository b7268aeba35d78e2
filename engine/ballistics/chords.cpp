#include <algorithm>
#include <ballistics/chords.hpp>
#include <cmath>
#include <exact/numbers/arithmetic.hpp>
#include <exact/numbers/length.hpp>

namespace sphaera::ballistics {
namespace {

using exact::u;

/// An upper bound of the last time at which x0 + v t + g t²/2 ≤ 0; 0 if there is none. Precondition: g > 0,
/// or g = 0 and v > 0. x0 is off by `slack`.
double last_time_below(double x0, double v, double g, double slack) {
  const double x = x0 - slack;
  if (x > 0 && v >= 0) return 0;
  if (g == 0) return -x / v * (1 + 8 * u);
  const double square = v * v, fall = 2 * g * std::fabs(x);
  if (v > 0) return -2 * x / (v + std::sqrt(square + fall)) * (1 + 16 * u);
  // Covers rounding and the loss of products to underflow, ≤ 2^-1074 each.
  const double slack_of_all = 8 * u * (square + fall) + 0x1p-1060;
  const double discriminant = (x > 0 ? square - fall : square + fall) + slack_of_all;
  return discriminant < 0 ? 0 : (std::sqrt(discriminant) - v) / g * (1 + 16 * u);
}

/// The last time within the bounds on one axis; ∞ if the flight does not leave them.
double last_time_within(double o, double v, double g, double lower, double upper) {
  const double down = std::fabs(o - lower) * 2 * u, up = std::fabs(o - upper) * 2 * u;
  if (g > 0 || (g == 0 && v > 0)) return last_time_below(o - upper, v, g, up);
  if (g < 0 || (g == 0 && v < 0)) return last_time_below(lower - o, -v, -g, down);
  return o < lower || o > upper ? 0 : infinity;
}

}  // namespace

Vec3 Parabola::at(double t) const { return (origin + t * velocity) + (0.5 * t * t) * gravity; }

Chords::Chords(const Parabola& flight, double from, double until, double margin)
    : flight_(flight), from_(from), until_(until), strength_(exact::length(flight.gravity)) {
  const double wanted = (until - from) * std::sqrt(strength_ / (16 * margin));
  const double most = max_chords;
  size_ =
      wanted < most ? std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(wanted))) : max_chords;
}

double Chords::time(std::int64_t i) const {
  if (i == 0) return from_;
  if (i == size_) return until_;
  return std::min(from_ + (until_ - from_) * (static_cast<double>(i) / static_cast<double>(size_)), until_);
}

Chord Chords::operator[](std::int64_t i) const {
  const double t0 = time(i), t1 = time(i + 1), h = t1 - t0, half_square = 0.5 * t1 * t1;
  const Vec3 &o = flight_.origin, &v = flight_.velocity, &g = flight_.gravity;
  const auto magnitude = [&](double x, double dx, double ddx) {
    return std::fabs(x) + t1 * std::fabs(dx) + half_square * std::fabs(ddx);
  };
  const double farthest =
      std::max({magnitude(o.x, v.x, g.x), magnitude(o.y, v.y, g.y), magnitude(o.z, v.z, g.z)});
  const double sixteenth = h * h * 0.0625;
  const Vec3 aside = sixteenth * g;
  // 2^-500 covers the loss of products to underflow, even scaled by times ≤ 2^400.
  const double margin = (strength_ * sixteenth + 12 * u * farthest) * (1 + 16 * u) + 0x1p-500;
  return {t0, t1, {flight_.at(t0) - aside, flight_.at(t1) - aside}, margin};
}

double last_time_near(const Parabola& f, const Vec3& lower, const Vec3& upper) {
  const double x = last_time_within(f.origin.x, f.velocity.x, f.gravity.x, lower.x, upper.x),
               y = last_time_within(f.origin.y, f.velocity.y, f.gravity.y, lower.y, upper.y),
               z = last_time_within(f.origin.z, f.velocity.z, f.gravity.z, lower.z, upper.z);
  return std::min({x, y, z});
}

}  // namespace sphaera::ballistics
