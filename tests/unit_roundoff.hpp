#pragma once
/// \file The unit in which tests state errors of rounding.

namespace sphaera::test {

inline constexpr double u = 0x1p-53;  ///< unit roundoff of double: a rounding changes x by at most u·|x|

}  // namespace sphaera::test
