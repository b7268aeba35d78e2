#include <algorithm>
#include <caps/ball_cap.hpp>
#include <cmath>
#include <exact/numbers/double_double.hpp>
#include <exact/numbers/power_of_two.hpp>

namespace sphaera::caps {
namespace {

using Long = exact::DoubleDouble<exact::Dekker>;

/// With radii R of the sphere and S of the other at a distance d, the cosine is (d² + R² − S²)/(2dR). In
/// double, where the terms of the sum are good to 8u, it is off by 8u·d/R: this is the largest d/R for that.
constexpr double most_distance = 8;

/// Squares of these neither overflow nor underflow.
constexpr double least_length = 0x1p-400, most_length = 0x1p400;

/// (t (R + S) + d)/(2R) with t = (R − S)/d, |t| < 1. Lengths as short as d are scaled by one power of two,
/// the radii by another.
Cap precise_cap(const Sphere& sphere, const Sphere& other, double probe) {
  const Vec3 &a = sphere.center, &b = other.center;
  const double up = exact::inverse_scale(b - a),
               scale = exact::inverse_scale({sphere.radius + probe, other.radius + probe, 0});
  const auto scaled = [](double factor, double x, double y) {  // x + y
    const exact::TwoDouble sum = exact::two_sum(x, y);
    return Long(exact::TwoDouble{factor * sum.hi, factor * sum.lo});
  };
  const Long x = scaled(up, b.x, -a.x), y = scaled(up, b.y, -a.y), z = scaled(up, b.z, -a.z);
  const Long distance = sqrt(x * x + y * y + z * z),
             share = scaled(up, sphere.radius, -other.radius) / distance;
  const Long radius = scaled(scale, sphere.radius, probe), reach = scaled(scale, other.radius, probe);
  const double down = scale / up;
  const Long cosine = (share * (radius + reach) + exact::TwoDouble{down * distance.hi, down * distance.lo}) /
                      (radius + radius);
  const auto part = [&](const Long& step) { return static_cast<double>(step / distance); };
  return {{part(x), part(y), part(z)}, static_cast<double>(cosine)};
}

}  // namespace

Cap cap_on(const Sphere& sphere, const Sphere& other, double probe) {
  const double radius = sphere.radius + probe, reach = other.radius + probe;
  const Vec3 step = other.center - sphere.center;
  const double square = dot(step, step), distance = std::sqrt(square);
  const bool moderate = distance > least_length && distance < most_length && radius > least_length &&
                        distance <= most_distance * radius;
  if (!moderate) return precise_cap(sphere, other, probe);
  const double inverse = 1 / distance;
  return {inverse * step,
          (square + (sphere.radius - other.radius) * (radius + reach)) * (0.5 * inverse / radius)};
}

}  // namespace sphaera::caps
