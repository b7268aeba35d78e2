#pragma once
/// \file Stage 3 of a curve against a ball: its quartic in exact integers, with Sturm's sequence.

#include <exact/isolate.hpp>
#include <exact/sturm.hpp>

namespace sphaera::exact {

class ExactCurve {
 public:
  explicit ExactCurve(const Curve& curve);
  ExactCurve(const ExactCurve&) = delete;
  ExactCurve& operator=(const ExactCurve&) = delete;

  /// All roots right of 0, each between two neighbouring doubles or one itself. The search for
  /// each begins near the guess.
  Roots4 roots(double guess) const;

  /// How many distinct roots f' has right of 0 and before one of f, but for that one's own gap of doubles.
  int turns_before(const CurveRoot& root) const;
  Coefficients polynomial() const { return f_; }
  const RemainderSequence& sequence() const { return sequence_; }

 private:
  int roots_until(double t) const;
  /// The least double at which `n` roots right of 0 are passed; ∞ beyond all.
  double least_after(int n, double from, double guess) const;
  struct Bracket;
  bool is_simple(const Bracket& b) const;
  int sign_right_of_double(double t) const;
  int sign_left_of_double(double t) const;
  /// The sign between the n-th root of a gap between doubles and the next.
  int sign_after(int n, double below, double above) const;
  /// Adds the roots in (below, above], neighbouring doubles.
  void add_gap(int n, double above, Roots4& roots) const;

  std::array<Long, 5> coefficients_;
  Coefficients f_;
  RemainderSequence sequence_;
  int at_start_ = 0, in_all_ = 0;  ///< variations just right of 0; roots there
};

/// Sign of x − y, the i-th root of f and the j-th of g right of `below`, both left of `above`, the next
/// double.
int compare_in_gap(const ExactCurve& f, int i, const ExactCurve& g, int j, double below, double above);

}  // namespace sphaera::exact
