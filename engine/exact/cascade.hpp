#pragma once
/// \file The decisions of a query's inner loop: filter inline, stages 2 and 3 out of line (decide.hpp for
/// everyone else). `Arithmetic` is Fused or Plain.

#include <cmath>
#include <exact/counts.hpp>
#include <exact/filter.hpp>
#include <exact/refine.hpp>
#include <sphaera/hit.hpp>

namespace sphaera::exact {

template <class Arithmetic>
struct Cascade {
  const Path& path;
  const Sphere& sphere;
  Counts& counts;
  Vec3 l;                  ///< O − C, rounded
  filter::Estimate delta;  ///< Δ

  SPHAERA_INLINE Cascade(const Path& p, const Sphere& s, Counts& c)
      : path(p),
        sphere(s),
        counts(c),
        l(p.origin - s.center),
        delta(filter::discriminant<Arithmetic>(l, p, s.radius)) {}

  SPHAERA_INLINE int sign_discriminant() const {
    return delta.sure() ? delta.sign() : refine::discriminant(relative(path, sphere), counts);
  }

  SPHAERA_INLINE int sign_power(double t) const {
    if (std::isinf(t)) return 1;
    const filter::Estimate p = filter::power<Arithmetic>(l, path, sphere.radius, t);
    return p.sure() ? p.sign() : refine::power(relative(path, sphere), t, counts);
  }

  SPHAERA_INLINE int sign_slope(double t) const {
    if (std::isinf(t)) return t < 0 ? -1 : 1;
    const filter::Estimate q = filter::slope<Arithmetic>(l, path, t);
    return q.sure() ? q.sign() : refine::slope(relative(path, sphere), t, counts);
  }

  /// Is p(t) ≤ 0 somewhere on [t_min, t_max]? p is a parabola: its least value lies at t_min where it already
  /// rises there, at t_max where it still falls there, else at the vertex. Precondition: t_min ≤ t_max.
  SPHAERA_INLINE bool meets() const {
    if (sign_discriminant() < 0) return false;
    if (sign_slope(path.t_min) >= 0) return sign_power(path.t_min) <= 0;
    if (sign_slope(path.t_max) <= 0) return sign_power(path.t_max) <= 0;
    return true;
  }

  /// As `meets`, with t1 < t_min told from t_min ≤ t1.
  SPHAERA_INLINE Contact contact() const {
    if (sign_discriminant() < 0) return Contact::miss;
    const int slope = sign_slope(path.t_min);
    if (slope < 0 && sign_slope(path.t_max) <= 0 && sign_power(path.t_max) > 0) return Contact::miss;
    const int power = sign_power(path.t_min);
    if (slope < 0) return power < 0 ? Contact::starts_inside : Contact::enters;
    if (power > 0) return Contact::miss;
    // On the sphere at the vertex: a tangent at t_min, or a path of no length, which is always inside.
    const bool touches = slope == 0 && power == 0 && path.direction != Vec3{};
    return touches ? Contact::enters : Contact::starts_inside;
  }

  SPHAERA_INLINE filter::Crossing crossing() const { return filter::crossing<Arithmetic>(l, path, delta); }

  /// As `contact`, by the bounds of the crossing where they tell.
  SPHAERA_INLINE Contact contact(const filter::Crossing& x) const {
    if (delta.sure()) {
      if (delta.value < 0) return Contact::miss;
      if (x.t1 - x.error > path.t_min && x.t1 + x.error < path.t_max) return Contact::enters;
      if (x.t2 + x.error < path.t_min || x.t1 - x.error > path.t_max) return Contact::miss;
    }
    return contact();
  }
};

}  // namespace sphaera::exact
