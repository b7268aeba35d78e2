#pragma once
/// \file The polynomials behind the decisions, written once for stage 2 (`Bounded`) and stage 3 (`Integer`).
///
/// With L = O − C, a = D·D, b = L·D, c = L·L − r²:
///     p(t) = a t² + 2 b t + c = |L + tD|² − r²        power: < 0 inside, 0 on the sphere
///     q(t) = a t + b                                   slope: half of p'
///     Δ = b² − a c = a r² − |L × D|²                   discriminant (Lagrange's identity: loses u·L/r, not
///                                                      u·(L/r)², where L ≫ r)
/// A `Number` is made from a double or by sum(doubles) and has +, −, * and sign() → optional<int>.

#include <exact/numbers/arithmetic.hpp>
#include <exact/predicates/relative.hpp>
#include <optional>

namespace sphaera::exact {

template <class Number>
struct Terms {
  Number l[3], d[3], r;

  explicit Terms(const Relative& s)
      : l{Number::sum(s.offset[0]), Number::sum(s.offset[1]), Number::sum(s.offset[2])},
        d{Number::sum(s.direction[0]), Number::sum(s.direction[1]), Number::sum(s.direction[2])},
        r(Number::sum(s.radius)) {
    if (s.time == 0) return;
    for (int i = 0; i < 3; ++i)
      if (s.drift[i] != 0) l[i] = l[i] - Number(s.drift[i]) * Number(s.time);
  }
};

template <class Number>
SPHAERA_INLINE Number dot(const Number (&x)[3], const Number (&y)[3]) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

template <class Number>
struct Triple {
  Number v[3];
};

template <class Number>
SPHAERA_INLINE Triple<Number> cross(const Number (&x)[3], const Number (&y)[3]) {
  return {{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]}};
}

template <class Number>
Number discriminant(const Terms<Number>& s) {
  const Triple<Number> w = cross(s.l, s.d);
  return dot(s.d, s.d) * (s.r * s.r) - dot(w.v, w.v);
}

/// c = p(0).
template <class Number>
Number power_at_origin(const Terms<Number>& s) {
  return dot(s.l, s.l) - s.r * s.r;
}

template <class Number>
void advance(Terms<Number>& s, const TwoDouble& t) {
  if (t.hi == 0) return;
  const std::array<double, 2> terms{t.hi, t.lo};
  const Number sum = Number::sum(terms);
  for (int i = 0; i < 3; ++i) s.l[i] = s.l[i] + sum * s.d[i];
}
template <class Number>
void advance(Terms<Number>& s, double t) {
  advance(s, TwoDouble{t, 0});
}

/// Sign of β + √Δ2 − √Δ1 from the signs of β, of δ = Δ2 − β², of P = Δ1 − Δ2 − β², of Δ2 and of P² − 4β²Δ2
/// (or of positive multiples). The last four are computed only when needed. Returns nullopt if a needed sign
/// is unsure.
template <class Delta, class SignP, class Sign2, class SignQ>
std::optional<int> sign_of_root_difference(std::optional<int> beta, Delta delta, SignP sign_p, Sign2 sign_2,
                                           SignQ sign_q) {
  if (!beta) return std::nullopt;
  if (*beta < 0) {
    const std::optional<int> d = delta();
    if (!d) return std::nullopt;
    if (*d < 0) return -1;  // √Δ2 < |β|
  }
  const std::optional<int> p = sign_p();
  if (!p) return std::nullopt;
  if (*beta == 0) return -*p;
  // Now β + √Δ2 ≥ 0: compare it with √Δ1 by squares, 2β√Δ2 with P.
  if (*p == 0) {
    const std::optional<int> s = sign_2();
    return s ? std::optional(*beta * *s) : std::nullopt;
  }
  if (*p != *beta) return beta;
  const std::optional<int> q = sign_q();  // both sides have the sign of β: compare squares again
  return q ? std::optional(-*beta * *q) : std::nullopt;
}

/// Sign of t1(first) − t1(second), the entries of one line into two spheres that it meets. β = b2 − b1 and
/// γ = c1 − c2 give P = −(aγ + 2 b2 β) and P² − 4β²Δ2 = a (aγ² + 4 b2 β γ + 4 c2 β²): degree 6, not 8.
template <class Number>
std::optional<int> sign_entry_difference(const Terms<Number>& first, const Terms<Number>& second) {
  const Number step[3] = {second.l[0] - first.l[0], second.l[1] - first.l[1], second.l[2] - first.l[2]};
  const Number a = dot(first.d, first.d), b2 = dot(second.l, second.d), c2 = power_at_origin(second);
  const Number beta = dot(step, first.d), gamma = power_at_origin(first) - c2;
  const auto sign_q = [&] {
    const Number cross = b2 * beta * gamma + c2 * beta * beta;
    return (a * gamma * gamma + Number(4) * cross).sign();
  };
  return sign_of_root_difference(
      beta.sign(), [&] { return (discriminant(second) - beta * beta).sign(); },
      [&] { return (Number(0) - (a * gamma + Number(2) * (b2 * beta))).sign(); },
      [&] { return discriminant(second).sign(); }, sign_q);
}

/// The same for two lines, each with its own direction: bullets and moving spheres. With β = a1 b2 − a2 b1
/// and γ = a1 c2 − a2 c1 the sign of a1 a2 (t1 − t2) is that of β + a1√Δ2 − a2√Δ1, and a1²Δ2, a2²Δ1 give P =
/// a1 (a2 γ − 2 b2 β) and P² − 4β²a1²Δ2 = a1² a2 (a2 γ² − 4 b2 β γ + 4 c2 β²): the resultant of the
/// quadratics. Precondition: a1, a2 > 0.
template <class Number>
std::optional<int> sign_entry_difference_apart(const Terms<Number>& first, const Terms<Number>& second) {
  const Number a1 = dot(first.d, first.d), a2 = dot(second.d, second.d), b2 = dot(second.l, second.d),
               c2 = power_at_origin(second);
  const Number beta = a1 * b2 - a2 * dot(first.l, first.d), gamma = a1 * c2 - a2 * power_at_origin(first);
  const auto sign_q = [&] {
    const Number cross = c2 * beta * beta - b2 * beta * gamma;
    return (a2 * gamma * gamma + Number(4) * cross).sign();
  };
  return sign_of_root_difference(
      beta.sign(), [&] { return (a1 * a1 * discriminant(second) - beta * beta).sign(); },
      [&] { return (a2 * gamma - Number(2) * (b2 * beta)).sign(); },
      [&] { return discriminant(second).sign(); }, sign_q);
}

/// Sign of (|L1| − r1) − (|L2| − r2): β = r2 − r1, Δ1 = |L2|², Δ2 = |L1|².
template <class Number>
std::optional<int> sign_distance_difference(const Terms<Number>& first, const Terms<Number>& second) {
  const Number beta = second.r - first.r, n1 = dot(first.l, first.l), n2 = dot(second.l, second.l);
  const Number beta2 = beta * beta, p = n2 - n1 - beta2;
  return sign_of_root_difference(
      beta.sign(), [&] { return (n1 - beta2).sign(); }, [&] { return p.sign(); }, [&] { return n1.sign(); },
      [&] { return (p * p - Number(4) * (beta2 * n1)).sign(); });
}

}  // namespace sphaera::exact
