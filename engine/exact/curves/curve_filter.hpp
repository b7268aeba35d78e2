#pragma once
/// \file Stage 1 of a curve against a ball: the local quartic in double with the proven error bound
///     1.01 (2 S E + 3 E² + 12u (S² + R²) + 2 R e_R + e_R²) + floor,
/// where S is the sum of the components of |v|, |w| and |g|, w = h(D + Gc), g = h²G, and E the sum of the
/// errors of v, w, g. Proof: engine/exact/proofs.md, proof 4.

#include <cmath>
#include <exact/curves/quartic.hpp>
#include <exact/numbers/bounded.hpp>
#include <exact/numbers/length.hpp>
#include <exact/predicates/filter.hpp>

namespace sphaera::exact {

inline constexpr int unsure = 2;  ///< returned instead of a sign

struct LocalQuartic {
  double q[5], error;
};

class CurveFilter {
 public:
  explicit CurveFilter(const Curve& curve) : g_(curve.gravity) {
    const Terms<Bounded<Dekker>> terms(curve.relative);
    const auto rounded = [](const Bounded<Dekker>& x, double& error) {
      error = std::fmax(error, std::fabs(x.value().lo) + x.error());
      return x.value().hi;
    };
    l_ = {rounded(terms.l[0], e_l_), rounded(terms.l[1], e_l_), rounded(terms.l[2], e_l_)};
    d_ = {rounded(terms.d[0], e_d_), rounded(terms.d[1], e_d_), rounded(terms.d[2], e_d_)};
    r_ = std::fabs(rounded(terms.r, e_r_));
    al_ = filter::absolute(l_), ad_ = filter::absolute(d_), ag_ = filter::absolute(g_);
    set_root_bound();
  }

  /// All roots lie below this power of two; ∞ if it is unknown or outside the filter's range.
  double root_bound() const { return root_bound_; }

  /// Sign of f(t), or `unsure`.
  int sign(double t) const {
    if (!(t <= root_bound_)) return unsure;
    const Place at = place(t);
    const double square = dot(at.v, at.v), r2 = r_ * r_, s = one_norm(at.v);
    return sign_of(square - r2, bound(s, at.e, r2));
  }

  /// f(t) and f'(t), rounded; `error` bounds the error of f(t) only.
  struct Slope {
    double f, df, error;
  };
  Slope slope(double t) const {
    const Place at = place(t);
    const double square = dot(at.v, at.v), r2 = r_ * r_;
    return {square - r2, 2 * dot(at.v, d_ + t * g_), bound(one_norm(at.v), at.e, r2)};
  }

  /// A guess of the time at which the curve is nearest to the center. If the distance has several minima, the
  /// guess may be near any of them.
  double nearest(double end, int steps) const {
    const double square = dot(d_, d_);
    double t = square > 0 ? -dot(l_, d_) / square : 0;
    for (int step = 0; step < steps; ++step) {
      t = std::fmin(std::fmax(t, 0), end);
      const Vec3 v = place(t).v, w = d_ + t * g_;
      const double half_ddf = dot(w, w) + dot(v, g_);
      if (!(half_ddf > 0)) break;
      t -= dot(v, w) / half_ddf;
    }
    return t;
  }

  /// f on [c − h, c + h].
  LocalQuartic about(double c, double h) const {
    const Place at = place(c);
    const Vec3 w = h * (d_ + c * g_), g = (h * h) * g_;
    const double e_w = 3.2 * u * h * filter::largest(ad_ + c * ag_) + h * e_d_,
                 e_g = 2.1 * u * h * h * filter::largest(ag_);
    const double r2 = r_ * r_;
    return {{dot(at.v, at.v) - r2, 2 * dot(at.v, w), dot(w, w) + dot(at.v, g), dot(w, g), 0.25 * dot(g, g)},
            bound(one_norm(at.v) + one_norm(w) + one_norm(g), at.e + e_w + e_g, r2)};
  }

  /// Signs of the inner Bernstein coefficients of f on [a, b].
  std::array<int, 3> inner_signs(double a, double b) const {
    const LocalQuartic p = about(0.5 * (a + b), 0.5 * (b - a));
    const double *q = p.q, odd = 0.5 * (q[3] - q[1]);
    return {sign_of(q[0] - q[4] + odd, p.error), sign_of(q[0] - q[2] * (1.0 / 3) + q[4], p.error),
            sign_of(q[0] - q[4] - odd, p.error)};
  }

  /// True if f certainly rises from 0 to t. The Bernstein coefficients of f' are the differences of f's.
  /// A shorter t is replaced by the time in which the bullet moves about 2^-20 R, since over a very short
  /// time f rises by no more than its rounding error.
  bool rises_until(double t) const {
    const double b = std::fmax(t, 0x1p-20 * r_ / one_norm(d_));
    if (!(b <= root_bound_)) return false;
    const LocalQuartic p = about(0.5 * b, 0.5 * b);
    const double* q = p.q;
    const double least = 2.1 * p.error, third = 1.0 / 3;
    return 0.5 * q[1] - q[2] + 1.5 * q[3] - 2 * q[4] > least &&
           0.5 * q[1] - third * q[2] - 0.5 * q[3] + 2 * q[4] > least &&
           0.5 * q[1] + third * q[2] - 0.5 * q[3] - 2 * q[4] > least &&
           0.5 * q[1] + q[2] + 1.5 * q[3] + 2 * q[4] > least;
  }

 private:
  struct Place {
    Vec3 v;
    double e;
  };

  static int sign_of(double value, double error) {
    return std::fabs(value) > error ? (value < 0 ? -1 : 1) : unsure;
  }

  Place place(double t) const {
    const double half_square = 0.5 * t * t;
    const double magnitude = filter::largest((al_ + t * ad_) + half_square * ag_);
    return {(l_ + t * d_) + half_square * g_, 4.2 * u * magnitude + e_l_ + t * e_d_};
  }

  double bound(double s, double e, double r2) const {
    return 1.01 * (e * (2 * s + 3 * e) + 12 * u * (s * s + r2) + e_r_ * (2 * r_ + e_r_)) + length_floor;
  }

  /// Sets root_bound_: |D t + G t²/2| must exceed `reach` for t to lie beyond all roots. Sums of components
  /// are upper bounds of norms; the factors cover 8 roundings each.
  void set_root_bound() {
    const double reach = (one_norm(l_) + r_) * (1 + 16 * u) + 4 * (e_l_ + e_r_);
    const double fastest = one_norm(d_) * (1 + 16 * u) + 4 * e_d_, strongest = one_norm(g_) * (1 + 16 * u);
    const double end = std::fmin(end_of_fall(reach, fastest, strongest), end_of_line(reach, strongest));
    if (!(end < 0x1p190)) return;
    int exponent;
    std::frexp(end * (1 + 32 * u), &exponent);
    const double power = std::ldexp(1.0, std::max(exponent, -190));
    if (reach < 0x1p260 && power * fastest < 0x1p260 && power * power * strongest < 0x1p260)
      root_bound_ = power;
  }

  /// |G|t²/2 − |D|t > reach for t > (|D| + √(|D|² + 2|G| reach))/|G|.
  double end_of_fall(double reach, double fastest, double strongest) const {
    const double weakest = std::sqrt(dot(g_, g_)) * (1 - 16 * u);
    if (!(weakest > 0x1p-480)) return infinity;
    return (fastest + std::sqrt(fastest * fastest + 2 * strongest * reach)) / weakest;
  }

  /// |D|t − |G|t²/2 > reach between the roots t1, t2 of |G|t²/2 − |D|t + reach, t1 = 2 reach/s, t2 = s/|G|, s
  /// = |D| + √(|D|² − 2|G| reach). From t2 on, |D + G t/2| t ≥ (|D × G|/|G|) t2. If this bound exceeds reach,
  /// too, all roots lie below t1: the case of bullets that are fast for their distance.
  double end_of_line(double reach, double strongest) const {
    const double slowest = std::sqrt(dot(d_, d_)) * (1 - 16 * u) - 4 * e_d_;
    const double discriminant = slowest * slowest * (1 - 16 * u) - 2 * strongest * reach;
    if (!(slowest > 0x1p-480) || !(discriminant > 0)) return infinity;
    const double s = slowest + std::sqrt(discriminant), t1 = 2 * reach / s * (1 + 16 * u);
    const double largest = filter::largest(ag_);
    if (largest == 0) return t1;
    const Vec3 down{g_.x / largest, g_.y / largest, g_.z / largest}, moment = cross(d_, down);
    const double aside = std::sqrt(dot(moment, moment) / dot(down, down)) - 16 * u * one_norm(d_) - 4 * e_d_;
    const bool stays_away = aside * (s / strongest) * (1 - 32 * u) > reach;
    if (stays_away) return t1;
    return infinity;
  }

  Vec3 l_, d_, g_, al_, ad_, ag_;
  double r_, e_l_ = 0, e_d_ = 0, e_r_ = 0, root_bound_ = infinity;
};

}  // namespace sphaera::exact
