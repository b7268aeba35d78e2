#pragma once
/// \file What is reported, rounded once from long numbers: double-double where its running error bound
/// promises enough, exact integers otherwise. The formulas are written once, for any `Number`.

#include <cmath>
#include <exact/numbers/bounded.hpp>
#include <exact/numbers/integer.hpp>
#include <exact/numbers/scaled.hpp>

namespace sphaera::geometry {

using Quick = exact::Bounded<exact::Plain>;           ///< polynomials, with their error bound …
using QuickReal = exact::DoubleDouble<exact::Plain>;  ///< … and quotients and roots of them
using Exact = exact::Integer;
using ExactReal = exact::Scaled;

inline QuickReal real(const Quick& x) { return x.value(); }
inline ExactReal real(const Exact& x) { return ExactReal(x); }

/// Error, relative to the scale of the result, that a double-double may carry: far below a rounding (2^-53),
/// and reached by products of four factors (2^-98) unless about 20 bits cancel.
inline constexpr double tight = 0x1p-80;

inline bool known(const Quick& x, double scale) { return x.error() <= tight * scale; }
inline bool known(const Quick& x) { return known(x, std::fabs(x.value().hi)); }

/// −1, 0 or 1, of a number that is `known`.
inline int sign(const Quick& x) { return (x.value().hi > 0) - (x.value().hi < 0); }
inline int sign(const Exact& x) { return *x.sign(); }

/// Quotients and roots of a double-double of this size neither over- nor underflow.
inline bool moderate(double x) { return x > 0x1p-400 && x < 0x1p400; }

}  // namespace sphaera::geometry
