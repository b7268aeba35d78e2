#pragma once
/// \file Four doubles, worked on at once. Formulas that are templates on the number take doubles and quads,
/// and give each lane the same bits as one double: no operation is fused.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exact/numbers/arithmetic.hpp>

namespace sphaera::geometry {

/// A class, as compilers refuse to pass wide vectors to functions for other instruction sets.
struct Quad {
  static constexpr int lanes = 4;
  using Vector = double __attribute__((vector_size(lanes * sizeof(double))));
  using Bits = std::int64_t __attribute__((vector_size(lanes * sizeof(double))));

  Vector v{};

  Quad() = default;
  SPHAERA_INLINE explicit Quad(const double* from) { std::memcpy(&v, from, sizeof v); }
  SPHAERA_INLINE void store(double* to) const { std::memcpy(to, &v, sizeof v); }
};

SPHAERA_INLINE Quad quad_of(const Quad::Vector& v) {
  Quad quad;
  quad.v = v;
  return quad;
}
SPHAERA_INLINE Quad operator+(const Quad& a, const Quad& b) { return quad_of(a.v + b.v); }
SPHAERA_INLINE Quad operator-(const Quad& a, const Quad& b) { return quad_of(a.v - b.v); }
SPHAERA_INLINE Quad operator*(const Quad& a, const Quad& b) { return quad_of(a.v * b.v); }
SPHAERA_INLINE Quad operator/(const Quad& a, const Quad& b) { return quad_of(a.v / b.v); }
SPHAERA_INLINE Quad operator+(double a, const Quad& b) { return quad_of(a + b.v); }
SPHAERA_INLINE Quad operator-(double a, const Quad& b) { return quad_of(a - b.v); }
SPHAERA_INLINE Quad operator*(double a, const Quad& b) { return quad_of(a * b.v); }
SPHAERA_INLINE Quad operator/(double a, const Quad& b) { return quad_of(a / b.v); }
SPHAERA_INLINE Quad operator/(const Quad& a, double b) { return quad_of(a.v / b); }
SPHAERA_INLINE Quad operator-(const Quad& a) { return quad_of(-a.v); }

SPHAERA_INLINE double root(double x) { return std::sqrt(x); }
SPHAERA_INLINE Quad root(const Quad& x) {
  Quad roots = x;
  for (int lane = 0; lane < Quad::lanes; ++lane) roots.v[lane] = __builtin_sqrt(x.v[lane]);
  return roots;
}

/// `positive` where x ≥ 0, else `negative`.
SPHAERA_INLINE double by_sign(double x, double positive, double negative) {
  return x >= 0 ? positive : negative;
}
SPHAERA_INLINE Quad by_sign(const Quad& x, const Quad& positive, const Quad& negative) {
  return quad_of(x.v >= 0 ? positive.v : negative.v);
}

SPHAERA_INLINE double absolute(double x) { return std::fabs(x); }
SPHAERA_INLINE Quad absolute(const Quad& x) { return quad_of((Quad::Vector)((Quad::Bits)x.v & INT64_MAX)); }

SPHAERA_INLINE double at_least(double least, double x) { return x < least ? least : x; }
SPHAERA_INLINE Quad at_least(double least, const Quad& x) {
  return quad_of(x.v < least ? least + Quad::Vector{} : x.v);
}

/// x ≥ 0 with the sign of y.
SPHAERA_INLINE double with_sign(double x, double y) { return std::copysign(x, y); }
SPHAERA_INLINE Quad with_sign(const Quad& x, const Quad& y) {
  return quad_of((Quad::Vector)(((Quad::Bits)x.v & INT64_MAX) | ((Quad::Bits)y.v & INT64_MIN)));
}

}  // namespace sphaera::geometry
