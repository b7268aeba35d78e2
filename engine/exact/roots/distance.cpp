#include <exact/numbers/instruction_sets.hpp>
#include <exact/numbers/scaled.hpp>
#include <exact/predicates/ball_at_instant.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <exact/roots/distance.hpp>
#include <exact/roots/quick_distance.hpp>

SPHAERA_SET_BEGIN
namespace sphaera::exact::inline SPHAERA_SET {

double quick_distance(const Vec3& x, const Sphere& sphere) { return quick_distance(x.x, x.y, x.z, sphere); }
double quick_gap(const Ball& own, const Sphere& sphere) {
  const auto& [x, y, z] = own.center;
  return quick_gap(x, y, z, own.radius, sphere);
}

}  // namespace sphaera::exact::inline SPHAERA_SET
SPHAERA_SET_END

#if SPHAERA_ONCE
namespace sphaera::exact {

SPHAERA_IN_BOTH_SETS(double quick_distance(const Vec3& x, const Sphere& sphere);)
SPHAERA_IN_BOTH_SETS(double quick_gap(const Ball& own, const Sphere& sphere);)

namespace {

/// c/(|L| + r) with c = |L|² − r²: no cancellation outside c.
template <class Number>
double from_terms(const Number& square, const Number& radius, const Number& c) {
  return static_cast<double>(c / (sqrt(square) + radius));
}

double by_integers(const Relative& seen) {
  const Terms<Integer> terms(seen);
  return from_terms(Scaled(dot(terms.l, terms.l)), Scaled(terms.r), Scaled(power_at_origin(terms)));
}

/// |L| − r, where r is about `radius`.
double signed_distance(const Relative& seen, double radius) {
  const Terms<Bounded<Dekker>> quick(seen);
  const Bounded<Dekker> square = dot(quick.l, quick.l), c = power_at_origin(quick);
  const bool moderate = square.value().hi < 0x1p800 && radius > 0x1p-400;
  const bool known = c.error() <= term_error * std::fabs(c.value().hi) &&
                     square.error() <= term_error * (square.value().hi + radius * radius);
  if (moderate && known) return from_terms(square.value(), quick.r.value(), c.value());
  return by_integers(seen);
}

}  // namespace

double signed_distance(const Vec3& x, const Sphere& sphere) {
  const double quick = SPHAERA_CHOSEN(quick_distance(x, sphere));
  return std::isnan(quick) ? by_integers(relative(path_at(x), sphere)) : quick;
}

double signed_distance(const Vec3& x, const SphereAtInstant& s) {
  return signed_distance(s.relative(x), s.sphere.radius);
}

double gap(const Ball& a, const Ball& b) {
  const double quick = SPHAERA_CHOSEN(quick_gap(a, {b.center, b.radius}));
  if (!std::isnan(quick)) return quick;
  Relative seen = relative(path_at(a.center), {b.center, b.radius});
  seen.radius[1] = a.radius;
  return by_integers(seen);
}

double gap(const Ball& a, const SphereAtInstant& b) {
  return signed_distance(relative(a, b), a.radius + b.sphere.radius);
}

}  // namespace sphaera::exact
#endif
