#include <array>
#include <base/floating_point_environment.hpp>
#include <base/validate.hpp>
#include <cmath>
#include <exact/numbers/long_number.hpp>
#include <exact/predicates/decide.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <limits>
#include <sphaera/closed_form/intersection_circle.hpp>

namespace sphaera::inline SPHAERA_ABI {
namespace {

using exact::Exact;
using exact::known;
using exact::moderate;
using exact::Quick;
using exact::real;

CircleClass classify(const Sphere& first, const Sphere& second) {
  if (first == second) return CircleClass::same;
  exact::Counts counts;
  const Ball a{first.center, first.radius}, b{second.center, second.radius};
  const int gap = exact::sign_gap(a, b, counts);
  if (gap != 0) {
    if (gap > 0) return CircleClass::apart;
    const int nesting = exact::sign_nesting(a, b, counts);
    if (nesting != 0) return nesting < 0 ? CircleClass::inside : CircleClass::circle;
  }
  return CircleClass::touching;
}

/// The polynomials of a pair of spheres.
template <class Number>
struct PairTerms {
  exact::Triple<Number> step;  ///< c2 − c1
  Number d2;                   ///< d² = |c2 − c1|²
  Number gap;                  ///< (r1 + r2)² − d²
  Number nesting;              ///< d² − (r1 − r2)²
  Number twice_dx;             ///< 2 d x = d² + (r1 + r2)(r1 − r2), x from c1 to the circle's center

  PairTerms(const Sphere& first, const Sphere& second) {
    for (int i = 0; i < 3; ++i) {
      step.v[i] = Number::sum(std::array{second.center[i], -first.center[i]});
    }
    const Number sum = Number::sum(std::array{first.radius, second.radius});
    const Number difference = Number::sum(std::array{first.radius, -second.radius});
    d2 = dot(step.v, step.v);
    gap = sum * sum - d2;
    nesting = d2 - difference * difference;
    twice_dx = d2 + sum * difference;
  }
};

bool accurate(const PairTerms<Quick>& pair, double first_radius) {
  const double d2 = pair.d2.value().hi;
  return moderate(d2) && moderate(first_radius) && known(pair.d2) && known(pair.gap) && known(pair.nesting) &&
         known(pair.twice_dx, std::sqrt(d2) * first_radius);
}

/// Completes the unit vector n to a right-handed orthonormal basis: Duff et al., "Building an orthonormal
/// basis, revisited", JCGT 6 (2017).
void complete_basis(const Vec3& n, Vec3& u, Vec3& v) {
  const double sign = std::copysign(1.0, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
  u = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
  v = {b, sign + n.y * n.y * a, -n.y};
}

template <class Number>
void fill(const PairTerms<Number>& pair, const Sphere& first, IntersectionCircle& circle) {
  const auto d2 = real(pair.d2), d = sqrt(d2), half = real(Number(0.5));
  const auto share = half * (real(pair.twice_dx) / d2);  // x/d
  const auto place = [&](int i) {
    return static_cast<double>(real(Number(first.center[i])) + share * real(pair.step.v[i]));
  };
  const auto normal = [&](int i) { return static_cast<double>(real(pair.step.v[i]) / d); };
  circle.center = {place(0), place(1), place(2)};
  circle.normal = {normal(0), normal(1), normal(2)};
  circle.radius = static_cast<double>(half * (sqrt(real(pair.gap)) * (sqrt(real(pair.nesting)) / d)));
  complete_basis(circle.normal, circle.axis_u, circle.axis_v);
}

}  // namespace

IntersectionCircle intersection_circle(const Sphere& first, const Sphere& second) {
  const base::FloatingPointEnvironment mode;
  base::check(first, 0);
  base::check(second, 1);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr Vec3 nowhere{nan, nan, nan};
  IntersectionCircle circle{classify(first, second), nowhere, nan, nowhere, nowhere, nowhere};
  if (circle.kind != CircleClass::touching && circle.kind != CircleClass::circle) return circle;
  const PairTerms<Quick> quick(first, second);
  if (accurate(quick, first.radius)) {
    fill(quick, first, circle);
  } else {
    fill(PairTerms<Exact>(first, second), first, circle);
  }
  return circle;
}

}  // namespace sphaera::inline SPHAERA_ABI
