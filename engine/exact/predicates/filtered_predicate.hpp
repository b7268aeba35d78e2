#pragma once
/// \file Filtered predicates for a query's inner loop: the filter is inline, stages 2 and 3 are out of line.
/// Other callers use decide.hpp. `Arithmetic` is Fused or Plain; `Pair` is a path and a sphere, at rest or
/// moving.

#include <cmath>
#include <exact/predicates/counts.hpp>
#include <exact/predicates/filter.hpp>
#include <exact/predicates/later_stages.hpp>
#include <sphaera/hit.hpp>

namespace sphaera::exact {

/// A path and a sphere at rest.
struct AtRest {
  const Path& path;
  const Sphere& sphere;

  SPHAERA_INLINE Vec3 offset() const { return path.origin - sphere.center; }  ///< L, rounded
  SPHAERA_INLINE double radius() const { return sphere.radius; }
  SPHAERA_INLINE TwoDouble end() const { return {path.t_max, 0}; }  ///< end of the path
  Relative relative() const { return exact::relative(path, sphere); }
};

template <class Arithmetic, class Pair = AtRest>
struct FilteredPredicate {
  Pair pair;
  const Path& path;
  Counts& counts;
  Vec3 l;                  ///< L, rounded
  filter::Estimate delta;  ///< Δ

  /// `p.path` must outlive this object, which keeps a reference to it.
  SPHAERA_INLINE FilteredPredicate(const Pair& p, Counts& c)
      : pair(p),
        path(p.path),
        counts(c),
        l(p.offset()),
        delta(filter::discriminant<Arithmetic>(l, path, p.radius())) {}
  SPHAERA_INLINE FilteredPredicate(const Path& p, const Sphere& s, Counts& c)
      : FilteredPredicate(AtRest{p, s}, c) {}

  SPHAERA_INLINE int sign_discriminant() const {
    return delta.sure() ? delta.sign() : later_stages::discriminant(pair.relative(), counts);
  }

  SPHAERA_INLINE int sign_power(double t) const { return sign_power(TwoDouble{t, 0}); }
  SPHAERA_INLINE int sign_power(const TwoDouble& t) const {
    if (std::isinf(t.hi)) return 1;
    const filter::Estimate p = filter::at_sum(filter::power<Arithmetic>(l, path, pair.radius(), t.hi), t.lo);
    return p.sure() ? p.sign() : later_stages::power(pair.relative(), t, counts);
  }

  SPHAERA_INLINE int sign_slope(double t) const { return sign_slope(TwoDouble{t, 0}); }
  SPHAERA_INLINE int sign_slope(const TwoDouble& t) const {
    if (std::isinf(t.hi)) return t.hi < 0 ? -1 : 1;
    const filter::Estimate q = filter::at_sum(filter::slope<Arithmetic>(l, path, t.hi), t.lo);
    return q.sure() ? q.sign() : later_stages::slope(pair.relative(), t, counts);
  }

  /// True if p(t) ≤ 0 somewhere on [t_min, t_max]. p is a parabola: its minimum lies at t_min if p rises
  /// there, at t_max if p falls there, else at the vertex. Precondition: t_min ≤ t_max.
  SPHAERA_INLINE bool meets() const {
    if (sign_discriminant() < 0) return false;
    if (sign_slope(path.t_min) >= 0) return sign_power(path.t_min) <= 0;
    if (sign_slope(pair.end()) <= 0) return sign_power(pair.end()) <= 0;
    return true;
  }

  /// As `meets`, but distinguishes t1 < t_min from t_min ≤ t1.
  SPHAERA_INLINE Contact contact() const {
    if (sign_discriminant() < 0) return Contact::miss;
    const int slope = sign_slope(path.t_min);
    if (slope < 0 && sign_slope(pair.end()) <= 0 && sign_power(pair.end()) > 0) return Contact::miss;
    const int power = sign_power(path.t_min);
    if (slope < 0) return power < 0 ? Contact::starts_inside : Contact::enters;
    if (power > 0) return Contact::miss;
    // Slope 0 and power 0: the path touches the sphere at t_min. A path of no length starts inside instead.
    const bool touches = slope == 0 && power == 0 && path.direction != Vec3{};
    return touches ? Contact::enters : Contact::starts_inside;
  }

  SPHAERA_INLINE filter::RootEstimates root_estimates() const {
    return filter::root_estimates<Arithmetic>(l, path, delta);
  }

  /// As `contact`, decided by the error bounds of `x` if they suffice. path.t_max is the least double not
  /// before the end: a double below path.t_max is before the end, a double above it after the end.
  SPHAERA_INLINE Contact contact(const filter::RootEstimates& x) const {
    if (delta.sure()) {
      if (delta.value < 0) return Contact::miss;
      if (x.t1 - x.error > path.t_min && x.t1 + x.error < path.t_max) return Contact::enters;
      if (x.t2 + x.error < path.t_min || x.t1 - x.error > path.t_max) return Contact::miss;
    }
    return contact();
  }
};

}  // namespace sphaera::exact
