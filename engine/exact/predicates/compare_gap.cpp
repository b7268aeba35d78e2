#include <cmath>
#include <exact/predicates/ball_at_instant.hpp>
#include <exact/predicates/compare_gap.hpp>
#include <exact/predicates/filter.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <exact/predicates/staged_sign.hpp>

namespace sphaera::exact {
namespace {

/// With L = A − B and R = a.radius + b.radius + distance: the gap is larger if R < 0; else the sign is that
/// of |L|² − R².
int sign_beyond(const Relative& seen, double distance, Counts& counts) {
  return staged_sign(
      [&](auto tag) -> std::optional<int> {
        using Number = typename decltype(tag)::type;
        const double radii[] = {seen.radius[0], seen.radius[1], distance};
        const Number reach = Number::sum(radii);
        const std::optional<int> sign = reach.sign();
        if (!sign || *sign < 0) return sign ? std::optional(1) : std::nullopt;
        const Terms<Number> terms(seen);
        return (dot(terms.l, terms.l) - reach * reach).sign();
      },
      counts);
}

}  // namespace

/// With S = a.radius + b.radius + |distance|, R̂ is off by 2.01u S. R̂²: 4.1u S², its square: 1.01u S²; |A −
/// B|²: 5.1u of itself; the difference: u(|A − B|² + S²). Together 6.2u|A − B|² + 6.2u S², and 8 covers the
/// roundings of Ŝ².
int compare_gap(const Ball& a, const Ball& b, double distance, Counts& counts) {
  const double radii = a.radius + b.radius, reach = radii + distance, size = radii + std::fabs(distance);
  if (reach < -4 * u * size) return 1;
  if (reach > 4 * u * size) {
    const Vec3 l = a.center - b.center;
    const double square = dot(l, l), difference = square - reach * reach;
    const filter::Estimate e{difference, 6.2 * u * square + 8 * u * (size * size) + length_floor};
    if (e.sure()) return e.sign();
  }
  Relative seen;
  for (int i = 0; i < 3; ++i) seen.offset[i] = {a.center[i], -b.center[i]};
  seen.radius = {a.radius, b.radius};
  return sign_beyond(seen, distance, counts);
}

/// R̂ is off by 2.01u S as above, the difference by u(|L| + S).
int compare_gap(const Ball& a, const SphereAtInstant& b, double distance, Counts& counts) {
  const double radii = a.radius + b.sphere.radius, size = radii + std::fabs(distance);
  const filter::Estimate length = filter::distance(a.center, b, 0);
  const filter::Estimate e{length.value - (radii + distance), length.error + 4 * u * (length.value + size)};
  if (e.sure()) return e.sign();
  return sign_beyond(relative(a, b), distance, counts);
}

}  // namespace sphaera::exact
