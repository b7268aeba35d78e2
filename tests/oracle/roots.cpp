#include <cmath>
#include <limits>
#include <tests/oracle/roots.hpp>

namespace sphaera::oracle {

// The leading 320 bits, of which a Real keeps all; what is truncated lies far below any rounding.
Real to_real(const Dyadic& x) {
  constexpr long chunk = 64, chunks = 5;
  const Integer magnitude = abs(x.mantissa());
  const long lowest = bit_length(magnitude) - chunk * chunks;
  Real value = 0;
  for (long i = chunks; i-- > 0;) {
    const Integer head = floor_scaled(magnitude, -(lowest + chunk * i));
    value = ldexp(value, chunk) + Real(static_cast<std::uint64_t>(head & ~std::uint64_t{0}));
  }
  value = ldexp(value, static_cast<int>(x.exponent() + lowest));
  return x.sign() < 0 ? Real(-value) : value;
}

Real root(const Dyadic& x) {
  constexpr long digits = 384;  // more than to_real keeps
  const long shift = digits - x.top() / 2;
  return to_real(Dyadic::scaled(floor_sqrt(x.floor_scaled(2 * shift)), -shift));
}

// a, b, c and the discriminant are exact, and the root that would cancel is taken from the product t1·t2 =
// c/a.
std::optional<Roots> roots(const Sight& sight) {
  const Quadratic q = quadratic(sight);
  const Dyadic discriminant = q.discriminant();
  if (q.a.sign() == 0 || discriminant.sign() < 0) return std::nullopt;
  const Real a = to_real(q.a), b = to_real(q.b), c = to_real(q.c), h = root(discriminant);
  if (q.b.sign() > 0) return Roots{-(b + h) / a, -c / (b + h)};
  const Real far = h - b;
  if (far == 0) return Roots{0, 0};
  return Roots{c / far, far / a};
}

std::optional<Real> closest_approach(const Sight& sight) {
  const Quadratic q = quadratic(sight);
  if (q.a.sign() == 0) return std::nullopt;
  return Real(-to_real(q.b) / to_real(q.a));
}

Dyadic squared_distance_at(const Sight& sight, double t) {
  const Quadratic q = quadratic(sight);
  const Dyadic exact_t = t;
  return (q.a * exact_t + q.b + q.b) * exact_t + q.c + sight.r * sight.r;
}

Real distance(const Vec3& x, const Vec3& y) {
  return root(squared_distance_at(sight(Segment{x, x}, Sphere{y, 0}), 0));
}

// The difference of the squares is exact: nothing cancels.
Real signed_distance(const Vec3& x, const Sphere& sphere) {
  const Quadratic q = quadratic(sight(Segment{x, x}, sphere));
  return to_real(q.c) / (distance(x, sphere.center) + Real(sphere.radius));
}

Real gap(const Ball& a, const Ball& b) {
  const Dyadic square = squared_distance_at(sight(Segment{a.center, a.center}, Sphere{b.center, 0}), 0),
               reach = Dyadic(a.radius) + Dyadic(b.radius);
  return to_real(square - reach * reach) / (root(square) + to_real(reach));
}

double error_in_half_ulps(double value, const Real& reference) {
  constexpr double greatest = std::numeric_limits<double>::max();
  if (abs(reference) > greatest) {
    const bool right = std::abs(value) >= greatest && std::signbit(value) == (reference < 0);
    return right ? 0 : std::numeric_limits<double>::infinity();
  }
  if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
  const Real least = ldexp(Real(1), -1075);
  const Real unit = std::max(Real(ldexp(abs(reference), -53)), least);
  return static_cast<double>(Real(abs(Real(value) - reference) / unit));
}

double promised_half_ulps_of_root(const Real& reference) {
  constexpr double rounded_once = 1 + 0x1p-5, rounded_twice = 1 + (1 + 0x1p-4) / 2;
  const bool is_denormal = abs(reference) < std::numeric_limits<double>::min();
  return is_denormal ? rounded_twice : rounded_once;
}

}  // namespace sphaera::oracle
