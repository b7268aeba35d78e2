#pragma once
/// \file The signed distance in double-double: a branch-free formula, for a single sphere and for a loop over
/// many that the compiler vectorizes (distance_block.cpp).

#include <exact/numbers/bounded.hpp>
#include <limits>

namespace sphaera::exact {

/// c/(|L| + r) with L = (x, y, z), c = |L|² − r²: no cancellation outside c. NaN where its error may exceed
/// that of `signed_distance`; only exact integers give the distance then.
template <class Arithmetic>
SPHAERA_INLINE double quick_distance(const Bounded<Arithmetic>& x, const Bounded<Arithmetic>& y,
                                     const Bounded<Arithmetic>& z, const Bounded<Arithmetic>& r) {
  const Bounded<Arithmetic> square = x * x + y * y + z * z, c = square - r * r;
  const double radius = r.value().hi, size = square.value().hi;
  // & and not &&, which would be a branch.
  const bool moderate = (size < 0x1p800) & (radius > 0x1p-400);
  const bool known = moderate & (c.error() <= tight * __builtin_fabs(c.value().hi)) &
                     (square.error() <= tight * (size + radius * radius));
  const DoubleDouble<Arithmetic> distance = c.value() / (sqrt(square.value()) + r.value());
  return known ? static_cast<double>(distance) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace sphaera::exact
