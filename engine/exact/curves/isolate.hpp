#pragma once
/// \file Isolates the roots of a curve's f by subdivision (Lane, Riesenfeld 1981), for stages 1 and 2: if the
/// Bernstein coefficients on [a, b] have 0 or 1 sign variations, f has as many roots in (a, b). If signs stay
/// unsure, as at a touch, the next stage decides.

#include <array>
#include <cmath>
#include <exact/curves/curve.hpp>
#include <exact/curves/curve_filter.hpp>

namespace sphaera::exact {

/// The roots of f that are > 0, and the sign of f on both sides of 0.
struct Roots4 {
  int before = 0, after = 0;  ///< sign of f just before and after 0; 0 if f is 0 everywhere
  bool starts_on = false;     ///< f(0) = 0
  int count = 0;
  std::array<CurveRoot, 4> root;

  void add(double below, double above, int slope) {
    root[count++] = {below, above, static_cast<std::int8_t>(slope)};
  }
};

/// Stage 2: `sign` and `inner_signs` as in CurveFilter, in double-double.
template <class Arithmetic>
class CurveBounds {
 public:
  explicit CurveBounds(const Curve& curve) : terms_(curve) {}

  int sign(double t) const { return power(t).sign().value_or(unsure); }
  Bounded<Arithmetic> power(double t) const {
    CurveTerms<Bounded<Arithmetic>> at = terms_;
    at.advance_by(t);
    return power_at_origin(at);
  }

  std::array<int, 3> inner_signs(double a, double b) const {
    using Number = Bounded<Arithmetic>;
    CurveTerms<Number> at = terms_;
    at.advance_by(0.5 * (a + b));
    std::array<Number, 5> q = quartic(at);
    const Number h(0.5 * (b - a));
    Number power = h;
    for (int k = 1; k < 5; ++k, power = power * h) q[k] = q[k] * power;
    const Number even = Number(2) * (q[0] - q[4]), odd = q[3] - q[1];
    return {(even + odd).sign().value_or(unsure), (Number(3) * (q[0] + q[4]) - q[2]).sign().value_or(unsure),
            (even - odd).sign().value_or(unsure)};
  }

 private:
  CurveTerms<Bounded<Arithmetic>> terms_;
};

/// A piece [a, b] of the time axis; a and b are multiples of `grain` at which f has known signs.
struct SignedInterval {
  double a, b, grain;
  int sign_a, sign_b;
};

/// The conclusion from a piece's signs.
enum class RootsInside { no_root, one_root, unknown, hopeless };

inline RootsInside roots_inside(const SignedInterval& p, const std::array<int, 3>& inner) {
  const int undecided = (inner[0] == unsure) + (inner[1] == unsure) + (inner[2] == unsure);
  if (undecided == 3) return RootsInside::hopeless;  // rounding is as large as f: subdivision does not help
  if (undecided > 1) return RootsInside::unknown;
  int last = p.sign_a, changes = 0, place = 0, change = 0, gap = 0;
  for (const int sign : {inner[0], inner[1], inner[2], p.sign_b}) {
    ++place;
    if (sign == unsure) {
      gap = place;
    } else if (sign != last) {
      last = sign, ++changes, change = place;
    }
  }
  // An unsure sign between equal signs could add two changes. Between different signs it adds none.
  const bool settled = undecided == 0 || (changes == 1 && change == gap + 1);
  if (!settled || changes > 1) return RootsInside::unknown;
  return changes == 0 ? RootsInside::no_root : RootsInside::one_root;
}

/// Splits the piece at `middle`, a multiple of `grain`. Returns false if f's sign there is unsure.
template <class Quartic>
bool cut(const Quartic& quartic, const SignedInterval& p, double middle, double grain,
         SignedInterval (&parts)[2]) {
  const int sign = quartic.sign(middle);
  if (sign == unsure) return false;
  parts[0] = {p.a, middle, grain, p.sign_a, sign};
  parts[1] = {middle, p.b, grain, sign, p.sign_b};
  return true;
}

/// Splits the piece near its middle, at a multiple of `grain`, or of a finer grain if the piece is only a few
/// grains wide. Returns false if f's sign is unsure at all three places tried.
template <class Quartic>
bool halve(const Quartic& quartic, const SignedInterval& p, SignedInterval (&parts)[2]) {
  const double width = p.b - p.a, grain = width >= 16 * p.grain ? p.grain : 0x1p-4 * p.grain;
  for (const double share : {0.5, 0.4375, 0.5625}) {
    if (cut(quartic, p, p.a + std::nearbyint(share * width / grain) * grain, grain, parts)) return true;
  }
  return false;
}

/// Splits the piece at the guess, rounded to a multiple of 2^-46 of the piece's end, if that lies inside.
template <class Quartic>
bool cut_at_guess(const Quartic& quartic, const SignedInterval& p, double guess, SignedInterval (&parts)[2]) {
  const double grain = 0x1p-46 * p.b, middle = std::nearbyint(guess / grain) * grain;
  return middle > p.a && middle < p.b && cut(quartic, p, middle, grain, parts);
}

/// Adds f's roots in the piece. Its ends are 0 or powers of two, so all places are multiples of 2^-50 b, and
/// their sums and halves are doubles. The first split is at the time nearest to the center: from there few
/// pieces show whether the curve hits or misses.
template <class Quartic>
bool isolate(const Quartic& quartic, const SignedInterval& whole, double nearest, Roots4& roots) {
  constexpr int deepest = 56;  // parts are ≤ 5/8 of a piece of width ≥ 2^-36 of whole.b: (5/8)^54 < 2^-36
  std::array<SignedInterval, deepest + 1> todo;
  int n = 0;
  const auto push = [&](const SignedInterval(&parts)[2]) { todo[n++] = parts[1], todo[n++] = parts[0]; };
  SignedInterval parts[2];
  if (cut_at_guess(quartic, whole, nearest, parts)) {
    push(parts);
  } else {
    todo[n++] = whole;
  }
  while (n > 0) {
    const SignedInterval p = todo[--n];
    const RootsInside v = roots_inside(p, quartic.inner_signs(p.a, p.b));
    if (v == RootsInside::hopeless) return false;
    if (v == RootsInside::one_root) roots.add(p.a, p.b, p.sign_b);
    if (v != RootsInside::unknown) continue;
    if (p.b - p.a < 0x1p-36 * whole.b || !halve(quartic, p, parts)) return false;
    push(parts);
  }
  return true;
}

/// Finds the roots in (0, end]; `end` ≤ `root_bound` are powers of two. If f < 0 at `end`, the search
/// continues until f > 0 or `root_bound`, beyond which f has no root. Returns false if a needed sign is
/// unsure.
template <class Quartic>
bool roots_of(const Quartic& quartic, double end, double root_bound, double nearest, Roots4& roots) {
  roots = {};
  SignedInterval p{0, end, end, quartic.sign(0), quartic.sign(end)};
  if (p.sign_a == unsure) return false;
  roots.before = roots.after = p.sign_a;
  for (;;) {
    if (p.sign_b == unsure) return false;
    if (!isolate(quartic, p, nearest, roots)) return false;
    if (p.sign_b > 0 || p.b >= root_bound) return true;
    p = {p.b, 2 * p.b, p.b, p.sign_b, quartic.sign(2 * p.b)};
  }
}

}  // namespace sphaera::exact
