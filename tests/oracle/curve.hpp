#pragma once
/// \file When a point on a parabola is within a ball, answered a second way: roots are isolated by Descartes'
/// rule of signs on exact integers of any length, multiplicities and ties decided by greatest common
/// divisors. Shares no code and no method with the engine (Bernstein coefficients with bounds, Sturm's
/// sequence).

#include <array>
#include <optional>
#include <span>
#include <tests/oracle/dyadic.hpp>
#include <vector>

namespace sphaera::oracle {

using Polynomial = std::vector<Integer>;  ///< from the constant up, no leading zero

/// A root > 0 of a polynomial without multiple roots: low < root < high, or low = root = high.
struct CurveRoot {
  const Polynomial* polynomial;
  Dyadic low, high;
  int multiplicity;
};

/// |L + D t + G t²/2|² − R² and its roots, for exact L, D, G, R.
class Arc {
 public:
  struct Terms {
    std::array<Dyadic, 3> l, d, g;
    Dyadic r;
  };
  explicit Arc(const Terms& terms);
  Arc(const Arc&) = delete;
  Arc& operator=(const Arc&) = delete;

  const std::vector<CurveRoot>& roots() const { return roots_; }  ///< in order
  int sign_before_0() const;
  int sign_after_0() const;
  int sign_at(const Dyadic& t) const;
  /// The sign of the n-th derivative at 0.
  int sign_of_derivative(std::size_t n) const;
  /// The t > 0 at which the derivative vanishes.
  std::vector<CurveRoot> turns();

 private:
  Polynomial f_, square_free_, slope_;
  std::vector<CurveRoot> roots_;
};

/// Sign of root − t.
int compare(CurveRoot& root, const Dyadic& t);
/// Sign of x − y; refines both intervals as far as needed.
int compare(CurveRoot& x, CurveRoot& y);

/// |root − t| in units of `unit`, to about 2^-20 of it.
double distance(CurveRoot& root, double t, double unit);

}  // namespace sphaera::oracle
