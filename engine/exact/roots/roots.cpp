#include <exact/numbers/bounded.hpp>
#include <exact/numbers/instruction_sets.hpp>
#include <exact/numbers/scaled.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <exact/roots/roots.hpp>

SPHAERA_SET_BEGIN
namespace sphaera::exact::inline SPHAERA_SET {

Roots quick_roots(const Path& path, const Sphere& sphere) {
  return roots_by_newton<Arithmetic>(path, sphere);
}

Roots quick_roots(const AtInstant& pair) {
  const LongOffset x = pair.long_offset(Arithmetic{}, 0), y = pair.long_offset(Arithmetic{}, 1),
                   z = pair.long_offset(Arithmetic{}, 2);
  return roots_by_newton<Arithmetic>(pair.path, pair.offset(), {x.value, y.value, z.value},
                                     {x.low, y.low, z.low}, {x.size, y.size, z.size}, pair.radius());
}

/// −b/a if both are known to `term_error`, otherwise unknown. The quotient adds ≤ 15u² + 56u³: together ≤
/// 2^-58 before the final rounding. A finite floor and the domain hold a in 2^-480 … 2^484 and |b| < 2^446,
/// so with |b| > 2^-400 the quotient and the remainder of the division stay within 2^-990 … 2^930: nothing
/// overflows or underflows.
double quick_closest_approach(const Path& path, const Vec3& center) {
  const Terms<Bounded<Arithmetic>> terms(relative(path, {center, 0}));
  const Bounded<Arithmetic> a = dot(terms.d, terms.d), b = dot(terms.l, terms.d);
  const double size_a = a.value().hi, size_b = std::fabs(b.value().hi);
  const bool known = path.floor < infinity && size_b > 0x1p-400 && a.error() <= term_error * size_a &&
                     b.error() <= term_error * size_b;
  return known ? -static_cast<double>(b.value() / a.value()) : unknown;
}

}  // namespace sphaera::exact::inline SPHAERA_SET
SPHAERA_SET_END

#if SPHAERA_ONCE
namespace sphaera::exact {

SPHAERA_IN_BOTH_SETS(Roots quick_roots(const Path& path, const Sphere& sphere);
                     Roots quick_roots(const AtInstant& pair);
                     double quick_closest_approach(const Path& path, const Vec3& center);)

namespace {

/// t = (−b ∓ √Δ)/a. The root without cancellation is a sum of two terms of one sign; the other is c / (that
/// root · a). No root is −0.
Roots from_coefficients(const Scaled& a, bool approaches, const Scaled& magnitude_b, const Scaled& c,
                        const Scaled& delta) {
  const Scaled sum = magnitude_b + sqrt(delta);
  const auto far = static_cast<double>(sum / a), near = static_cast<double>(c / sum);
  return approaches ? Roots{near + 0.0, far} : Roots{0 - far, 0 - near};
}

}  // namespace

Roots roots_exact(const Relative& relative) {
  const Terms<Integer> terms(relative);
  const Integer a = dot(terms.d, terms.d), b = dot(terms.l, terms.d), delta = discriminant(terms);
  if (*a.sign() == 0) return {-infinity, infinity};
  if (*b.sign() == 0 && *delta.sign() == 0) return {0, 0};
  return from_coefficients(Scaled(a), *b.sign() <= 0, Scaled(b).magnitude(), Scaled(power_at_origin(terms)),
                           Scaled(delta));
}

Roots roots_exact(const Path& path, const Sphere& sphere) { return roots_exact(relative(path, sphere)); }

Roots roots(const Path& path, const Sphere& sphere) {
  const Roots quick = SPHAERA_CHOSEN(quick_roots(path, sphere));
  return are_known(path, quick) ? quick : roots_exact(path, sphere);
}

Roots roots(const AtInstant& pair) {
  const Roots quick = SPHAERA_CHOSEN(quick_roots(pair));
  return are_known(pair.path, quick) ? quick : roots_exact(pair.relative());
}

double closest_approach(const Path& path, const Vec3& center) {
  const double quick = SPHAERA_CHOSEN(quick_closest_approach(path, center));
  return quick == quick ? quick : closest_approach_exact(path, center);
}

double closest_approach_exact(const Path& path, const Vec3& center) {
  const Terms<Integer> terms(relative(path, {center, 0}));
  const Integer a = dot(terms.d, terms.d);
  if (*a.sign() == 0) return 0;
  return 0 - static_cast<double>(Scaled(dot(terms.l, terms.d)) / Scaled(a));  // not −0
}

}  // namespace sphaera::exact
#endif
