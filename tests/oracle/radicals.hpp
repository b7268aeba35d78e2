#pragma once
/// \file Sign of a + √x − √y by ever finer integer intervals, down to the root separation bound.

#include <tests/oracle/dyadic.hpp>

namespace sphaera::oracle {

/// Sign of a + √x − √y; x, y ≥ 0.
int sign_of_radicals(const Dyadic& a, const Dyadic& x, const Dyadic& y);

}  // namespace sphaera::oracle
