#include <cmath>
#include <exact/predicates/compare_gap.hpp>
#include <exact/predicates/filter.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <exact/predicates/staged_sign.hpp>

namespace sphaera::exact {
namespace {

/// R = a.radius + b.radius + distance. The gap is larger if R < 0; else the sign is that of |A − B|² − R².
template <class Number>
std::optional<int> sign_beyond(const Ball& a, const Ball& b, double distance) {
  const double radii[] = {a.radius, b.radius, distance};
  const Number reach = Number::sum(radii);
  const std::optional<int> sign = reach.sign();
  if (!sign || *sign < 0) return sign ? std::optional(1) : std::nullopt;
  Number l[3];
  for (int i = 0; i < 3; ++i) {
    const double terms[] = {a.center[i], -b.center[i]};
    l[i] = Number::sum(terms);
  }
  return (dot(l, l) - reach * reach).sign();
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
  return staged_sign([&](auto tag) { return sign_beyond<typename decltype(tag)::type>(a, b, distance); },
                     counts);
}

}  // namespace sphaera::exact
