#include <exact/numbers/scaled.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <exact/roots/distance.hpp>
#include <exact/roots/quick_distance.hpp>

namespace sphaera::exact {
namespace {

double signed_distance(const Relative& seen) {
  const Terms<Bounded<Plain>> bounded(seen);
  const double quick = quick_distance(bounded.l[0], bounded.l[1], bounded.l[2], bounded.r);
  if (!std::isnan(quick)) return quick;
  const Terms<Integer> terms(seen);
  const Scaled length = sqrt(Scaled(dot(terms.l, terms.l)));
  return static_cast<double>(Scaled(power_at_origin(terms)) / (length + Scaled(terms.r)));
}

}  // namespace

double signed_distance(const Vec3& x, const Sphere& sphere) {
  return signed_distance(relative(Path{x, {}, {}, 0, 0, 0, 0}, sphere));
}

double signed_distance(const Vec3& x, const SphereAtInstant& s) { return signed_distance(s.relative(x)); }

}  // namespace sphaera::exact
