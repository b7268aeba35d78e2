#include <algorithm>
#include <base/strict_math.hpp>
#include <exact/curves/sturm.hpp>

namespace sphaera::exact {
namespace {

constexpr int binomial[5][5] = {
    {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 1, 0}, {1, 4, 6, 4, 1}};

/// Sign of f^(k)(x)/k!, by Horner's rule.
template <class Number>
int sign_of_derivative(Coefficients f, int k, const Number& x) {
  Number value;
  for (int j = static_cast<int>(f.size()) - 1; j >= k; --j) {
    value = value * x + (k == 0 ? Number(f[j]) : Number(binomial[j][k]) * Number(f[j]));
  }
  return *value.sign();
}

/// The sign of f at x ± 0: that of f^(k)(x)(±1)^k for the first derivative that is not 0.
template <class Number>
int sign_beside(Coefficients f, const Number& x, int side) {
  for (int k = 0, towards = 1; k < static_cast<int>(f.size()); ++k, towards *= side) {
    if (const int sign = sign_of_derivative(f, k, x)) return sign * towards;
  }
  return 0;
}

int sign_of_leading(Coefficients f) { return *f.back().sign(); }

/// Counts sign changes in a sequence of signs.
struct Variations {
  int last = 0, count = 0;
  void operator()(int sign) {
    if (sign == 0) return;
    count += sign == -last ? 1 : 0;
    last = sign;
  }
};

Long power(const Long& x, int n) {
  Long r(1);
  for (; n > 0; --n) r = r * x;
  return r;
}

/// Writes lc(g)^(deg f − deg g + 1) · f mod g to `r`, which has room for f; returns its size.
int pseudo_remainder(Coefficients f, Coefficients g, std::span<Long> r) {
  std::copy(f.begin(), f.end(), r.begin());
  const int n = static_cast<int>(f.size()), m = static_cast<int>(g.size());
  for (int top = n - 1; top >= m - 1; --top) {
    const Long& lead = r[top];  // unchanged: only places before it are written
    for (int i = 0; i < top; ++i) r[i] = g.back() * r[i];
    for (int i = 0; i < m - 1; ++i) r[top - (m - 1) + i] = r[top - (m - 1) + i] - lead * g[i];
  }
  return static_cast<int>(trimmed(r.first(m - 1)).size());
}

}  // namespace

Coefficients trimmed(Coefficients f) {
  while (!f.empty() && *f.back().sign() == 0) f = f.first(f.size() - 1);
  return f;
}

Derivative::Derivative(Coefficients f) : size(f.empty() ? 0 : f.size() - 1) {
  for (std::size_t k = 0; k < size; ++k) coefficients[k] = Long(static_cast<double>(k + 1)) * f[k + 1];
}

template <class Number>
int sign_at(Coefficients f, const Number& x) {
  return sign_of_derivative(f, 0, x);
}

template <class Number>
int sign_right_of(Coefficients f, const Number& x) {
  return sign_beside(f, x, 1);
}

template <class Number>
int sign_left_of(Coefficients f, const Number& x) {
  return sign_beside(f, x, -1);
}

RemainderSequence::RemainderSequence(Coefficients f, Coefficients g) : psi_(-1) {
  for (const Coefficients& p : {f, g}) {
    if (p.empty()) continue;
    if (length_ > 0) start_[length_] = start_[length_ - 1] + size_[length_ - 1];
    size_[length_] = static_cast<int>(p.size());
    flip_[length_] = 1;
    std::copy(p.begin(), p.end(), pool_.begin() + start_[length_]);
    ++length_;
  }
  while (length_ >= 2 && size_[length_ - 1] > 1 && extend()) {
  }
}

// r_{i+1} = prem(r_{i−1}, r_i)/β_i with β_1 = (−1)^(δ_1+1), ψ_1 = −1 and for i > 1, with lc = lc(r_{i−1}),
// ψ_i = (−lc)^δ_{i−1} ψ_{i−1}^(1 − δ_{i−1}), β_i = −lc ψ_i^δ_i. A Sturm sequence takes −rem instead of
// prem/β, so each member has a sign beside it: flip_{i+1} = −flip_{i−1} · sgn(lc(r_i)^(δ_i+1) β_i).
bool RemainderSequence::extend() {
  const int i = length_ - 1, before = i - 1, delta = size_[before] - size_[i];
  Long beta(delta % 2 == 0 ? -1 : 1);
  if (i > 1) {
    const Long gamma = -member(before).back();
    const int previous = size_[before - 1] - size_[before];
    if (previous > 0) psi_ = exact_quotient(power(gamma, previous), power(psi_, previous - 1));
    beta = gamma * power(psi_, delta);
  }
  std::array<Long, 5> remainder;
  const int size = pseudo_remainder(member(before), member(i), remainder);
  if (size == 0) return false;
  const int lead = delta % 2 == 0 ? sign_of_leading(member(i)) : 1;
  flip_[length_] = -flip_[before] * lead * *beta.sign();
  start_[length_] = start_[i] + size_[i];
  size_[length_] = size;
  for (int k = 0; k < size; ++k) pool_[start_[length_] + k] = exact_quotient(remainder[k], beta);
  ++length_;
  return true;
}

template <class Number>
int RemainderSequence::variations_right_of(const Number& x) const {
  Variations v;
  for (int i = 0; i < length_; ++i) v(flip_[i] * sign_right_of(member(i), x));
  return v.count;
}

int RemainderSequence::variations_at_infinity() const {
  Variations v;
  for (int i = 0; i < length_; ++i) v(flip_[i] * sign_of_leading(member(i)));
  return v.count;
}

RemainderSequence sturm_sequence(Coefficients f) { return {f, Derivative(f).polynomial()}; }

template int sign_at(Coefficients, const Long&);
template int sign_at(Coefficients, const Deep&);
template int sign_right_of(Coefficients, const Long&);
template int sign_right_of(Coefficients, const Deep&);
template int sign_left_of(Coefficients, const Long&);
template int sign_left_of(Coefficients, const Deep&);
template int RemainderSequence::variations_right_of(const Long&) const;
template int RemainderSequence::variations_right_of(const Deep&) const;

}  // namespace sphaera::exact
