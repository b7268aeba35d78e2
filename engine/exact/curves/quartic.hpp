#pragma once
/// \file The quartic of a curve against a ball, written once for stage 2 (`Bounded`) and stage 3 (integers).
///
/// The vector between the centers is v(t) = L + D t + G t²/2, its velocity w(t) = D + G t. About c, with t =
/// c + h x,
///     |v(t)|² − R² = q0 + q1 x + q2 x² + q3 x³ + q4 x⁴,
///     q0 = v·v − R²,  q1 = 2 h v·w,  q2 = h²(w·w + v·G),  q3 = h³ w·G,  q4 = h⁴ G·G/4
/// with v, w at c. At a time c near an impact |v(c)| is of the order of R, also where |L| is large, so that
/// little cancels.

#include <array>
#include <exact/predicates/sign_formulas.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::exact {

/// A ball and a point under constant gravity; the vector between them is L + D t + G t²/2 (L, D of
/// `relative`), 0 ≤ t ≤ end ≤ ∞. `end` is a sum whose hi is the nearest double. With zero gravity the path is
/// straight; `Path` is faster then. Domain: all terms finite, |L| ≤ 2^260 on each axis, |D|, |G|, R ≤ 2^201;
/// R ≥ 0.
struct Curve {
  Relative relative;
  Vec3 gravity;
  TwoDouble end;
};

/// Terms of a curve; after advance_by(t), `l` is v(t) and `d` is w(t).
template <class Number>
struct CurveTerms : Terms<Number> {
  Number g[3];

  explicit CurveTerms(const Curve& curve)
      : Terms<Number>(curve.relative), g{curve.gravity.x, curve.gravity.y, curve.gravity.z} {}

  /// Moves the origin of time by t.
  void advance_by(const Number& t) {
    const Number half_square = Number(0.5) * (t * t);
    for (int i = 0; i < 3; ++i) {
      this->l[i] = this->l[i] + (t * this->d[i] + half_square * g[i]);
      this->d[i] = this->d[i] + t * g[i];
    }
  }
};

/// 4 q0 … 4 q4 for h = 1, from terms advanced to c.
template <class Number>
std::array<Number, 5> quartic(const CurveTerms<Number>& s) {
  const Number four(4);
  return {four * power_at_origin(s), Number(8) * dot(s.l, s.d), four * (dot(s.d, s.d) + dot(s.l, s.g)),
          four * dot(s.d, s.g), dot(s.g, s.g)};
}

}  // namespace sphaera::exact
