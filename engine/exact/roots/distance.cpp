#include <exact/numbers/bounded.hpp>
#include <exact/numbers/scaled.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <exact/roots/distance.hpp>

namespace sphaera::exact {
namespace {

/// c/(|L| + r) with c = |L|² − r²: no cancellation outside c.
template <class Number>
double from_terms(const Number& square, const Number& radius, const Number& c) {
  return static_cast<double>(c / (sqrt(square) + radius));
}

double signed_distance(const Relative& seen, double radius) {
  const Terms<Bounded<Plain>> quick(seen);
  const Bounded<Plain> square = dot(quick.l, quick.l), c = power_at_origin(quick);
  const bool moderate = square.value().hi < 0x1p800 && radius > 0x1p-400;
  const bool known = c.error() <= tight * std::fabs(c.value().hi) &&
                     square.error() <= tight * (square.value().hi + radius * radius);
  if (moderate && known) return from_terms(square.value(), quick.r.value(), c.value());
  const Terms<Integer> terms(seen);
  return from_terms(Scaled(dot(terms.l, terms.l)), Scaled(terms.r), Scaled(power_at_origin(terms)));
}

}  // namespace

double signed_distance(const Vec3& x, const Sphere& sphere) {
  return signed_distance(relative(Path{x, {}, {}, 0, 0, 0, 0}, sphere), sphere.radius);
}

double signed_distance(const Vec3& x, const SphereAtInstant& s) {
  return signed_distance(s.relative(x), s.sphere.radius);
}

}  // namespace sphaera::exact
