#pragma once
/// \file Reported numbers, rounded once from longer ones: double-double if its running error bound suffices,
/// else exact integers. The formulas are written once, for any `Number`.

#include <cmath>
#include <exact/numbers/bounded.hpp>
#include <exact/numbers/integer.hpp>
#include <exact/numbers/scaled.hpp>

namespace sphaera::exact {

using Quick = Bounded<Dekker>;           ///< polynomials, with their error bound …
using QuickReal = DoubleDouble<Dekker>;  ///< … and their quotients and roots
using Exact = Integer;
using ExactReal = Scaled;

inline QuickReal real(const Quick& x) { return x.value(); }
inline ExactReal real(const Exact& x) { return ExactReal(x); }

/// Largest error of a double-double, relative to the scale of the result. It is far below a rounding (2^-53).
/// Products of four factors (2^-98) satisfy it unless about 20 bits cancel.
inline constexpr double long_error = 0x1p-80;

inline bool known(const Quick& x, double scale) { return x.error() <= long_error * scale; }
inline bool known(const Quick& x) { return known(x, std::fabs(x.value().hi)); }

/// −1, 0 or 1 for a number that is `known`.
inline int sign(const Quick& x) { return (x.value().hi > 0) - (x.value().hi < 0); }
inline int sign(const Exact& x) { return *x.sign(); }

/// True if quotients and roots of a double-double of this size neither overflow nor underflow.
inline bool moderate(double x) { return x > 0x1p-400 && x < 0x1p400; }

}  // namespace sphaera::exact
