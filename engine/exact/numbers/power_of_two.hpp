#pragma once
/// \file Scaling by powers of two, which is exact.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <sphaera/vec3.hpp>

namespace sphaera::exact {

/// 2^-k if the largest |component| lies in [2^k, 2^(k+1)); 2^1023 if the largest |component| is subnormal or
/// zero. Precondition: finite components.
inline double inverse_scale(const Vec3& v) {
  constexpr std::uint64_t exponent_bits = 0x7ff0000000000000, twice_bias = std::uint64_t{2046} << 52;
  const double x = std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
  const std::uint64_t bits = twice_bias - (std::bit_cast<std::uint64_t>(x) & exponent_bits);
  return bits != 0 ? std::bit_cast<double>(bits) : 0x1p-1023;  // k = 1023: 2^-1023 is subnormal
}

}  // namespace sphaera::exact
