#pragma once
/// \file A path's infinite line and a sphere, in long numbers: the points where they meet.
///
/// With L = O − C, a = D·D, Δ = a r² − |L × D|² (sign_formulas.hpp), all relative to the center:
///     foot of the perpendicular      F = D × (L × D) / a          (= L − (L·D / a) D, which would cancel)
///     where the line meets           F ∓ (√Δ / a) D               of length r
/// So points and normals keep their precision for any distance of the origin.

#include <array>
#include <exact/numbers/long_number.hpp>
#include <exact/predicates/at_instant.hpp>
#include <exact/predicates/path.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <exact/roots/newton.hpp>
#include <sphaera/closed_form/pierce.hpp>
#include <sphaera/hit.hpp>

namespace sphaera::exact {

/// The terms of a path's line and a sphere, for one type of number.
template <class Number>
struct LineTerms {
  Terms<Number> sphere;
  Number a;
  Triple<Number> moment;  ///< L × D
  Triple<Number> foot_a;  ///< a·F
  Number delta;

  explicit LineTerms(const Relative& seen) : LineTerms(Terms<Number>(seen)) {}
  explicit LineTerms(const Terms<Number>& seen)
      : sphere(seen),
        a(dot(sphere.d, sphere.d)),
        moment(cross(sphere.l, sphere.d)),
        foot_a(cross(sphere.d, moment.v)),
        delta(discriminant(sphere)) {}
};

/// True if the terms give points on the sphere with an error of about long_error·r.
inline bool known(const LineTerms<Quick>& line, double radius) {
  if (!moderate(line.a.value().hi) || !moderate(radius)) return false;
  const double a = line.a.value().hi, delta = line.delta.value().hi;
  // √Δ is off by error/(2√Δ) and is divided by √a.
  bool good = known(line.a) && delta > 0 && known(line.delta, std::sqrt(delta) * std::sqrt(a) * radius);
  for (const Quick& x : line.foot_a.v) good = good && known(x, a * radius);
  return good;
}

/// Calls use(terms) with terms of sufficient accuracy and returns its result.
template <class Use>
auto with_line(const Relative& seen, double radius, const Use& use) {
  const LineTerms<Quick> quick(seen);
  return known(quick, radius) ? use(quick) : use(LineTerms<Exact>(seen));
}
template <class Use>
auto with_line(const Path& path, const Sphere& sphere, const Use& use) {
  return with_line(relative(path, sphere), sphere.radius, use);
}

/// The point where the line meets the sphere, relative to the sphere's center. Precondition: Δ ≥ 0, D ≠ 0.
template <class Number>
auto offset(const LineTerms<Number>& line, Side side) {
  const auto a = real(line.a), half_chord = sqrt(real(line.delta)) / a;
  const auto step = side == Side::entry ? -half_chord : half_chord;
  const auto along = [&](int i) { return real(line.foot_a.v[i]) / a + step * real(line.sphere.d[i]); };
  return std::array{along(0), along(1), along(2)};
}

/// t1 of the line's entry. Precondition: c ≥ 0 and b ≤ 0, so t1 ≥ 0. As c / (√Δ − b) nothing cancels; 0 if
/// the origin is on the surface.
template <class Number>
auto entry(const LineTerms<Number>& line) {
  const Number c = power_at_origin(line.sphere);
  if (sign(c) == 0) return real(Number(0));
  return real(c) / (sqrt(real(line.delta)) - real(dot(line.sphere.l, line.sphere.d)));
}

/// True if c is good to `long_error`, and b to that share of |b| + √Δ: what `entry` needs besides known(line,
/// radius).
inline bool entry_known(const LineTerms<Quick>& line) {
  const Quick b = dot(line.sphere.l, line.sphere.d);
  return known(power_at_origin(line.sphere)) &&
         known(b, std::fabs(b.value().hi) + std::sqrt(line.delta.value().hi));
}

template <class Real>
SurfacePoint surface_point_from_center(const Sphere& sphere, const std::array<Real, 3>& offset) {
  const auto place = [&](int i) { return static_cast<double>(Real(sphere.center[i]) + offset[i]); };
  const auto normal = [&](int i) { return static_cast<double>(offset[i] / Real(sphere.radius)); };
  return {{place(0), place(1), place(2)}, {normal(0), normal(1), normal(2)}};
}

/// origin + t·D, rounded once.
Vec3 point_at(const Path& path, double t);

/// The point at t with its normal; the normal is exactly 0 at the center.
SurfacePoint surface_point_at(const Path& path, const Sphere& sphere, double t);

/// The point of a hit, with its normal: where the path enters, or at t_min if it starts inside. Precondition:
/// `contact` is the path's contact with the sphere, and not a miss.
SurfacePoint contact_point(const Path& path, const Sphere& sphere, Contact contact);

/// The same for a moving sphere at an instant; `path` is that of a ray or segment.
SurfacePoint contact_point(const Path& path, const SphereAtInstant& s, Contact contact);

}  // namespace sphaera::exact
