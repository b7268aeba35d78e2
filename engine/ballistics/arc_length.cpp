#include <ballistics/arc_length.hpp>
#include <cmath>
#include <exact/numbers/elementary.hpp>
#include <exact/numbers/length.hpp>

namespace sphaera::ballistics {

double arc_length(const Vec3& velocity, const Vec3& gravity, double t) {
  if (const double quick = quick_arc_length(velocity, gravity, t); !std::isnan(quick)) return quick;
  const double g = exact::length(gravity);
  if (2 * g * t <= exact::length(velocity)) return gauss_arc_length(velocity, gravity, t, exact::length);
  // At a time τ after the apex the speed is √(p² + g²τ²), p the speed across gravity. Its integral is
  // (τ √(p² + g²τ²) + p²/g asinh(gτ/p))/2.
  const Vec3 down{gravity.x / g, gravity.y / g, gravity.z / g};
  const double fall = dot(velocity, down), first = fall / g;
  const Vec3 across = velocity - fall * down;
  const double p = exact::length(across);
  const auto integral = [&](double tau) {
    const bool negligible = !(p > 0x1p-500 * (g * std::fabs(tau)));  // p² asinh(gτ/p) beside (gτ)²
    const double asinh_term = negligible ? 0 : p * (p / g) * exact::hyperbolic_arc_sine(g * tau / p);
    return 0.5 * (tau * exact::length({p, g * tau, 0}) + asinh_term);
  };
  return integral(first + t) - integral(first);
}

}  // namespace sphaera::ballistics
