#pragma once
/// \file Answers that are the same to the last bit.

#include <bit>
#include <cstdint>
#include <sphaera/starlight.hpp>

namespace sphaera::test {

/// NaN where NaN.
inline bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same(const Visibility& a, const Visibility& b) {
  return same(a.fraction, b.fraction) && same(a.flux, b.flux) && same(a.magnitude, b.magnitude) &&
         a.dominant == b.dominant && a.occluders == b.occluders && a.light == b.light &&
         a.blocked == b.blocked && a.status == b.status;
}

}  // namespace sphaera::test
