#pragma once
/// \file Four doubles, worked on at once. Formulas that are templates on the number work for double and for
/// DoubleLanes, and give each lane the same bits as one double: no operation is fused.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exact/numbers/arithmetic.hpp>

namespace sphaera::exact {

/// A class, as compilers refuse to pass wide vectors to functions for other instruction sets.
struct DoubleLanes {
  static constexpr int lanes = 4;
  using Vector = double __attribute__((vector_size(lanes * sizeof(double))));
  using Bits = std::int64_t __attribute__((vector_size(lanes * sizeof(double))));

  Vector v{};

  DoubleLanes() = default;
  SPHAERA_INLINE explicit DoubleLanes(const double* from) { std::memcpy(&v, from, sizeof v); }
  SPHAERA_INLINE void store(double* to) const { std::memcpy(to, &v, sizeof v); }
};

SPHAERA_INLINE DoubleLanes double_lanes(const DoubleLanes::Vector& v) {
  DoubleLanes quad;
  quad.v = v;
  return quad;
}
SPHAERA_INLINE DoubleLanes operator+(const DoubleLanes& a, const DoubleLanes& b) {
  return double_lanes(a.v + b.v);
}
SPHAERA_INLINE DoubleLanes operator-(const DoubleLanes& a, const DoubleLanes& b) {
  return double_lanes(a.v - b.v);
}
SPHAERA_INLINE DoubleLanes operator*(const DoubleLanes& a, const DoubleLanes& b) {
  return double_lanes(a.v * b.v);
}
SPHAERA_INLINE DoubleLanes operator/(const DoubleLanes& a, const DoubleLanes& b) {
  return double_lanes(a.v / b.v);
}
SPHAERA_INLINE DoubleLanes operator+(double a, const DoubleLanes& b) { return double_lanes(a + b.v); }
SPHAERA_INLINE DoubleLanes operator-(double a, const DoubleLanes& b) { return double_lanes(a - b.v); }
SPHAERA_INLINE DoubleLanes operator*(double a, const DoubleLanes& b) { return double_lanes(a * b.v); }
SPHAERA_INLINE DoubleLanes operator/(double a, const DoubleLanes& b) { return double_lanes(a / b.v); }
SPHAERA_INLINE DoubleLanes operator/(const DoubleLanes& a, double b) { return double_lanes(a.v / b); }
SPHAERA_INLINE DoubleLanes operator-(const DoubleLanes& a) { return double_lanes(-a.v); }

SPHAERA_INLINE double root(double x) { return std::sqrt(x); }
SPHAERA_INLINE DoubleLanes root(const DoubleLanes& x) {
  DoubleLanes roots = x;
  for (int lane = 0; lane < DoubleLanes::lanes; ++lane) roots.v[lane] = __builtin_sqrt(x.v[lane]);
  return roots;
}

/// `positive` where x ≥ 0, else `negative`.
SPHAERA_INLINE double by_sign(double x, double positive, double negative) {
  return x >= 0 ? positive : negative;
}
SPHAERA_INLINE DoubleLanes by_sign(const DoubleLanes& x, const DoubleLanes& positive,
                                   const DoubleLanes& negative) {
  return double_lanes(x.v >= 0 ? positive.v : negative.v);
}

SPHAERA_INLINE double absolute(double x) { return std::fabs(x); }
SPHAERA_INLINE DoubleLanes absolute(const DoubleLanes& x) {
  return double_lanes((DoubleLanes::Vector)((DoubleLanes::Bits)x.v & INT64_MAX));
}

SPHAERA_INLINE double at_least(double least, double x) { return x < least ? least : x; }
SPHAERA_INLINE DoubleLanes at_least(double least, const DoubleLanes& x) {
  return double_lanes(x.v < least ? least + DoubleLanes::Vector{} : x.v);
}

/// x ≥ 0 with the sign of y.
SPHAERA_INLINE double with_sign(double x, double y) { return std::copysign(x, y); }
SPHAERA_INLINE DoubleLanes with_sign(const DoubleLanes& x, const DoubleLanes& y) {
  return double_lanes(
      (DoubleLanes::Vector)(((DoubleLanes::Bits)x.v & INT64_MAX) | ((DoubleLanes::Bits)y.v & INT64_MIN)));
}

}  // namespace sphaera::exact
