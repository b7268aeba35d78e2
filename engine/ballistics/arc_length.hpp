#pragma once
/// \file The length of a bullet's way under gravity: ∫ |V + G s| ds from 0 to t.

#include <exact/numbers/arithmetic.hpp>
#include <exact/numbers/quadrature.hpp>
#include <sphaera/bullet.hpp>

namespace sphaera::ballistics {

/// The length by Gauss's rule; speed_of(v) is |v|.
template <class SpeedOf>
SPHAERA_INLINE double gauss_arc_length(const Vec3& velocity, const Vec3& gravity, double t,
                                       const SpeedOf& speed_of) {
  const auto speed_at = [&](double s) SPHAERA_INLINE_LAMBDA {
    return speed_of(velocity + (0.5 * t * (1 + s)) * gravity);
  };
  constexpr exact::NodeRule rule = exact::gauss_12;
  double sum = 0;
  for (std::size_t i = 0; i < rule.positive_nodes; ++i)
    sum += rule.weight[i] * (speed_at(-rule.s[i]) + speed_at(rule.s[i]));
  return 0.5 * t * sum;
}

/// The same without a branch. NaN if the speed may change by more than half of |V|, or if |V|² is
/// outside 2^-890 … 2^890. Relative error < 20u:
///
/// Let s = t(1 + x)/2. |V + Gs| is analytic but where its square is 0: there |s| = |V|/|G| ≥ 2t, |1 + x| ≥ 4.
/// The ellipse with foci ±1 and half axes 3 and √8, whose sum is ρ = 5.83, lies in |1 + x| ≤ 4, where |s| ≤
/// 2t and the speed is ≤ 2|V|. Twelve nodes are off by 64/15 · 2|V|/((1 − ρ^-2) ρ^22) < 1.3e-16 |V|
/// (Trefethen, Approximation Theory and Approximation Practice, theorem 19.3). The integral over x is at
/// least |V|, so that is less than 2u of it. Rounding, in u: a node 0.25, Gs 3.1, the sum 1, its length 2.5,
/// a weight and its product 1.5, the twelve positive terms 7, the product with t 2.
SPHAERA_INLINE double quick_arc_length(const Vec3& velocity, const Vec3& gravity, double t) {
  const auto square = [](const Vec3& v) SPHAERA_INLINE_LAMBDA { return dot(v, v); };
  const auto speed_of = [&](const Vec3& v) SPHAERA_INLINE_LAMBDA { return __builtin_sqrt(square(v)); };
  const double first = square(velocity), doubled_change = square((2 * t) * gravity),
               length = gauss_arc_length(velocity, gravity, t, speed_of);
  const bool applies = (doubled_change <= first) & (first > 0x1p-890) & (first < 0x1p890);
  return applies ? length : Impact::none;
}

/// The length for any speeds. Relative error ≤ 1e-12.
double arc_length(const Vec3& velocity, const Vec3& gravity, double t);

}  // namespace sphaera::ballistics
