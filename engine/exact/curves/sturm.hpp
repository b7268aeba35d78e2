#pragma once
/// \file How many roots a polynomial has in an interval, exactly (Sturm 1829).
///
/// The sequence is the subresultant one (Brown, Traub, "On Euclid's algorithm and the theory of
/// subresultants", J. ACM 18, 1971): exact quotients keep its members as small as minors of Sylvester's
/// matrix.
///
/// Capacity of `Long`. On the domain of `Curve` all terms are multiples of 2^-1074, L of 2^-2148 (a product
/// of two doubles), so 4f's coefficients are multiples of 2^-4298 below 2^530: 4828 bits, with a limb cut at
/// either end 77 limbs. A member of degree j of the sequence of two quartics is a minor of 8 − 2j rows: ≤
/// 6·77 = 462 limbs; the pseudo-remainder that the last one is divided out of, lc² r_3 + …, has ≤ 2·6 + 4 =
/// 16 times 77 = 1232. A common divisor of degree 2 or 3 has minors of ≤ 4, 2 rows for coefficients, ≤ 308,
/// 154, its own sequence ≤ 3·308 = 924, 7·154 = 1078. Values at a double t: t has 2 limbs, t^j moves a
/// coefficient by ≤ 4·17 limbs: 924 + 70. Values at a time that is a sum of two doubles ≤ 2^201, of ≤ 21
/// limbs: ≤ 462 + 4·21, of f and f' alone. All ≤ 1280 with carries and a shift of 1.
///
/// Capacity of `Deep`, for places between two doubles. F = 2^4298·4f has integer coefficients < 2^4828. The
/// roots of two such quartics F1, F2 are roots of the square-free part P of F1·F2, of degree n ≤ 8, with |P|
/// ≤ 2^8 |F1 F2| < 2^(8 + 2·4828 + 6) (Landau, Mignotte), so distinct ones lie at least √3 n^-(n+2)/2
/// |P|^-(n−1) > 2^-67730 apart (Mahler 1964). Bisection stops at widths above half of that; below 2^4832,
/// where all roots lie, places have ≤ 72563 bits: 1135 limbs. Values: f 77 + 4·1135, f' 77 + 3·1135, members
/// of degree j ≤ 2 (8 − 2j)·77 + 2·1135, of a divisor ≤ 1078 + 3·1135: all ≤ 4617 + carries.

#include <array>
#include <exact/numbers/integer.hpp>
#include <span>

namespace sphaera::exact {

using Long = BasicInteger<1280>;
using Deep = BasicInteger<4992>;

/// Coefficients from the constant up; the last one is not 0. The zero polynomial is empty.
using Coefficients = std::span<const Long>;

/// Without leading zeros.
Coefficients trimmed(Coefficients f);

/// f'.
struct Derivative {
  std::array<Long, 4> coefficients;
  std::size_t size;

  explicit Derivative(Coefficients f);
  Coefficients polynomial() const { return {coefficients.data(), size}; }
};

template <class Number>
int sign_at(Coefficients f, const Number& x);

/// The sign that f has just right (left) of x.
template <class Number>
int sign_right_of(Coefficients f, const Number& x);
template <class Number>
int sign_left_of(Coefficients f, const Number& x);

/// Signed remainders of f and g, not both zero, of degrees ≤ 4, deg f ≥ deg g: all positive multiples of f,
/// g, −rem(f, g), …
class RemainderSequence {
 public:
  RemainderSequence(Coefficients f, Coefficients g);

  /// The greatest common divisor (up to a factor).
  Coefficients last() const { return member(length_ - 1); }

  /// Sign variations just right of x; those of f and f' fall by one at each distinct root.
  template <class Number>
  int variations_right_of(const Number& x) const;
  int variations_at_infinity() const;

 private:
  Coefficients member(int i) const { return {&pool_[start_[i]], static_cast<std::size_t>(size_[i])}; }
  /// Makes the next member out of the last two; false if it is zero.
  bool extend();

  static constexpr int most = 6;
  std::array<Long, 20> pool_;  // degrees 4, 4, 3, 2, 1, 0
  std::array<int, most> start_{}, size_{}, flip_{};
  int length_ = 0;
  Long psi_;
};

/// The sequence of f and f', whose variations count f's distinct roots.
RemainderSequence sturm_sequence(Coefficients f);

}  // namespace sphaera::exact
