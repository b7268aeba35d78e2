#pragma once
/// \file The exact number of roots of a polynomial in an interval (Sturm 1829).
///
/// The sequence is the subresultant one (Brown, Traub, "On Euclid's algorithm and the theory of
/// subresultants", J. ACM 18, 1971): exact quotients keep its members as small as minors of Sylvester's
/// matrix.
///
/// `Long` holds coefficients (at most 1280 limbs). `Deep` holds values at points between two adjacent doubles
/// (4617 limbs plus carries). Proof: engine/exact/proofs.md, proof 5.

#include <array>
#include <exact/numbers/integer.hpp>
#include <span>

namespace sphaera::exact {

using Long = BasicInteger<1280>;
using Deep = BasicInteger<4992>;

/// Coefficients, from the constant term up; the last one is not 0. The zero polynomial is empty.
using Coefficients = std::span<const Long>;

/// The polynomial without leading zeros.
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

/// The sign of f just right (left) of x.
template <class Number>
int sign_right_of(Coefficients f, const Number& x);
template <class Number>
int sign_left_of(Coefficients f, const Number& x);

/// Signed remainders of f and g, not both zero, of degrees ≤ 4, deg f ≥ deg g: member i times flip_[i] is a
/// positive multiple of f, g, −rem(f, g), …
class RemainderSequence {
 public:
  RemainderSequence(Coefficients f, Coefficients g);

  /// The greatest common divisor (up to a factor).
  Coefficients last() const { return member(length_ - 1); }

  /// Sign variations just right of x. For the sequence of f and f' the number drops by one at each distinct
  /// root of f.
  template <class Number>
  int variations_right_of(const Number& x) const;
  int variations_at_infinity() const;

 private:
  Coefficients member(int i) const { return {&pool_[start_[i]], static_cast<std::size_t>(size_[i])}; }
  /// Computes the next member from the last two; false if it is zero.
  bool extend();

  static constexpr int max_members = 6;
  std::array<Long, 20> pool_;                      // degrees 4, 4, 3, 2, 1, 0
  std::array<int, max_members> start_{}, size_{};  // of each member in the pool
  std::array<int, max_members> flip_{};            // ±1: a member's sign in the Sturm sequence
  int length_ = 0;
  Long psi_;  // ψ of Brown and Traub: gives the exact divisor of the next member
};

/// The sequence of f and f'; its sign variations count f's distinct roots.
RemainderSequence sturm_sequence(Coefficients f);

}  // namespace sphaera::exact
