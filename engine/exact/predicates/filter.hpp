#pragma once
/// \file Stage 1: decisions in double with a proven error bound. If |value| does not exceed its bound, stage
/// 2 decides.
///
/// Bounds: engine/exact/proofs.md, proof 1. They hold with and without fused multiply-adds. With u = 2^-53
/// and m = |k1| + |k2| for each component w = k2 − k1 of L × D:
///     E_Δ = u(6.2 Σ|w|m + 10.2 (N + ar)) + 18u² Σm² + floor,      N = Σw²
///     E_p = u(6.2 λ Σ|v| + 10.2 (Σv² + r²)) + 60u²λ² + floor,     λ = max|L|
///     E_q = u(3.1 Σ|DL| + 7.1 Σ|Dv|) + floor
/// floor = 2^-500 covers underflow; it is infinite (always unsure) for |D| ≥ 2^240 and |D| ≤ 2^-240.

#include <exact/numbers/arithmetic.hpp>
#include <exact/predicates/path.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::exact::filter {

/// A computed value; the exact value is within `error` of it.
struct Estimate {
  double value, error;

  SPHAERA_INLINE bool sure() const { return __builtin_fabs(value) > error; }  // false for NaN
  SPHAERA_INLINE int sign() const { return value < 0 ? -1 : 1; }
};

SPHAERA_INLINE Vec3 absolute(const Vec3& v) {
  return {__builtin_fabs(v.x), __builtin_fabs(v.y), __builtin_fabs(v.z)};
}

SPHAERA_INLINE double largest(const Vec3& absolute_v) {
  const double xy = absolute_v.x > absolute_v.y ? absolute_v.x : absolute_v.y;
  return xy > absolute_v.z ? xy : absolute_v.z;
}

template <class Arithmetic>
SPHAERA_INLINE double sum_of_products(const Vec3& x, const Vec3& y) {
  return Arithmetic::multiply_add(x.z, y.z, Arithmetic::multiply_add(x.y, y.y, x.x * y.x));
}

struct CrossTerm {
  double w, m;
};

/// One component y1·z2 − z1·y2 of a cross product, and the sum of the magnitudes of its two products.
template <class Arithmetic>
SPHAERA_INLINE CrossTerm cross_term(double y1, double z1, double y2, double z2) {
  const double k1 = z1 * y2;
  return {Arithmetic::multiply_add(y1, z2, -k1), __builtin_fabs(y1 * z2) + __builtin_fabs(k1)};
}

template <class Arithmetic>
SPHAERA_INLINE Estimate discriminant(const Vec3& l, const Path& path, double radius) {
  const Vec3& d = path.direction;
  const CrossTerm x = cross_term<Arithmetic>(l.y, l.z, d.y, d.z),
                  y = cross_term<Arithmetic>(l.z, l.x, d.z, d.x),
                  z = cross_term<Arithmetic>(l.x, l.y, d.x, d.y);
  const Vec3 w{x.w, y.w, z.w}, m{x.m, y.m, z.m};
  const double n = sum_of_products<Arithmetic>(w, w), ar = path.a * (radius * radius);
  const double first = 6.2 * sum_of_products<Arithmetic>(absolute(w), m) + 10.2 * (n + ar);
  return {ar - n, u * first + 18 * u * u * sum_of_products<Arithmetic>(m, m) + path.floor};
}

template <class Arithmetic>
SPHAERA_INLINE Vec3 at(const Vec3& l, const Path& path, double t) {
  return {Arithmetic::multiply_add(t, path.direction.x, l.x),
          Arithmetic::multiply_add(t, path.direction.y, l.y),
          Arithmetic::multiply_add(t, path.direction.z, l.z)};
}

template <class Arithmetic>
SPHAERA_INLINE Estimate power(const Vec3& l, const Path& path, double radius, double t) {
  const Vec3 v = at<Arithmetic>(l, path, t), av = absolute(v);
  const double square = sum_of_products<Arithmetic>(v, v), r2 = radius * radius,
               lambda = largest(absolute(l));
  const double first = 6.2 * lambda * (av.x + av.y + av.z) + 10.2 * (square + r2);
  return {square - r2, u * first + 60 * u * u * lambda * lambda + path.floor};
}

/// The estimate of p or q at t + `low`, |low| ≤ u|t|, from the estimate at t.
SPHAERA_INLINE Estimate at_sum(const Estimate& at_time, double low) {
  return {at_time.value, low == 0 ? at_time.error : 2 * at_time.error};
}

/// Error factor of the sag in `stays_outside`. The sag is off by 3u for a, 2u for a segment's rounded
/// direction, 4u for squares and products; the difference and the product with this factor by u each: 11u. If
/// the sag underflows, the floor covers the loss of 2^480 · 2^-1022.
inline constexpr double sag_slack = 1 + 32 * u;

/// True if the path certainly stays outside a sphere. p is a parabola: between two of its points it sags
/// below the line through them by at most a(t_max − t_min)²/4. This decides for paths that are short relative
/// to the sphere, such as paths along the ground; never if t is infinite. (A radius that is a sum of three,
/// twice rounded, is off by 5u instead of 3u in r²: the 10.2u have room for it.)
template <class Arithmetic>
SPHAERA_INLINE bool stays_outside(const Vec3& l, const Path& path, double radius) {
  const Estimate first = power<Arithmetic>(l, path, radius, path.t_min),
                 last = power<Arithmetic>(l, path, radius, path.t_max);
  const double length = path.t_max - path.t_min, sag = 0.25 * path.a * (length * length),
               first_low = first.value - first.error, last_low = last.value - last.error;
  return (first_low > sag_slack * sag) & (last_low > sag_slack * sag);  // false for NaN
}

template <class Arithmetic>
SPHAERA_INLINE Estimate slope(const Vec3& l, const Path& path, double t) {
  const Vec3 v = at<Arithmetic>(l, path, t), ad = absolute(path.direction);
  const double dl = sum_of_products<Arithmetic>(ad, absolute(l)),
               dv = sum_of_products<Arithmetic>(ad, absolute(v));
  return {sum_of_products<Arithmetic>(path.direction, v), u * (3.1 * dl + 7.1 * dv) + path.floor};
}

/// The line's crossings of the sphere, given Δ ≥ 0 and a > 0: t = (−b ∓ root)/a, each within `error`. If
/// `error` is infinite or NaN the values are unknown.
struct RootEstimates {
  double b, root;  ///< L·D and √Δ, rounded
  double t1, t2, error;
};

template <class Arithmetic>
SPHAERA_INLINE RootEstimates root_estimates(const Vec3& l, const Path& path, const Estimate& delta) {
  const double b = sum_of_products<Arithmetic>(path.direction, l);
  const double b_error = 5.1 * u * sum_of_products<Arithmetic>(absolute(path.direction), absolute(l));
  const double root = __builtin_sqrt(delta.value > 0 ? delta.value : 0);
  const double root_error =
      delta.value > delta.error ? delta.error / root : 1.5 * __builtin_sqrt(delta.error);
  const double size = __builtin_fabs(b) + root, inverse = 1 / path.a;
  const double numerator_error = b_error + root_error + 3.1 * u * size + path.floor;
  return {b, root, (-b - root) * inverse, (-b + root) * inverse,
          (1.1 * numerator_error + 8.1 * u * size) * inverse};
}

/// |l| − radius for l = fl(X − C).
template <class Arithmetic>
SPHAERA_INLINE Estimate distance(const Vec3& l, double radius) {
  const double norm = __builtin_sqrt(sum_of_products<Arithmetic>(l, l));
  constexpr double root_floor = 0x1p-250;  // root of length_floor: error of the norm if its square underflows
  return {norm - radius, u * (4.6 * norm + 2.1 * radius) + root_floor};
}

/// |l|² − length², for a length that is a rounded sum or difference.
template <class Arithmetic>
SPHAERA_INLINE Estimate square_difference(const Vec3& l, double length) {
  const double square = sum_of_products<Arithmetic>(l, l), length2 = length * length;
  return {square - length2, 6.2 * u * (square + length2) + length_floor};
}

}  // namespace sphaera::exact::filter
