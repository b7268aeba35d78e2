#include <exact/dispatch.hpp>
#include <exact/roots.hpp>
#include <exact/scaled.hpp>
#include <exact/signs.hpp>

namespace sphaera::exact {
namespace {

/// t = (−b ∓ √Δ)/a, the one that does not cancel as a sum of two terms of one sign, the other as c / (that ·
/// a).
Roots from_coefficients(const Scaled& a, bool approaches, const Scaled& magnitude_b, const Scaled& c,
                        const Scaled& delta) {
  const Scaled sum = magnitude_b + sqrt(delta);
  const auto far = static_cast<double>(sum / a), near = static_cast<double>(c / sum);
  return approaches ? Roots{near, far} : Roots{-far, -near};
}

}  // namespace

Roots roots_exact(const Path& path, const Sphere& sphere) {
  const Terms<Integer> terms(relative(path, sphere));
  const Integer a = dot(terms.d, terms.d), b = dot(terms.l, terms.d), delta = discriminant(terms);
  if (*a.sign() == 0) return {-infinity, infinity};
  if (*b.sign() == 0 && *delta.sign() == 0) return {0, 0};
  return from_coefficients(Scaled(a), *b.sign() <= 0, Scaled(b).magnitude(), Scaled(power_at_origin(terms)),
                           Scaled(delta));
}

Roots roots(const Path& path, const Sphere& sphere) {
  Roots quick{};
  with_arithmetic([&](auto arithmetic)
                      SPHAERA_INLINE_LAMBDA { quick = roots_by_newton<decltype(arithmetic)>(path, sphere); });
  return are_known(path, quick) ? quick : roots_exact(path, sphere);
}

double closest_approach(const Path& path, const Vec3& center) {
  const Terms<Integer> terms(relative(path, {center, 0}));
  const Integer a = dot(terms.d, terms.d);
  if (*a.sign() == 0) return 0;
  return static_cast<double>(-(Scaled(dot(terms.l, terms.d)) / Scaled(a)));
}

}  // namespace sphaera::exact
