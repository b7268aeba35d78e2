#pragma once
/// \file Vectors as a structure of arrays, for loops that the compiler vectorizes.

#include <array>
#include <cstddef>
#include <exact/numbers/arithmetic.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::exact {

/// Vector i is (x[i], y[i], z[i]).
template <std::size_t capacity>
struct VectorSlots {
  std::array<double, capacity> x{}, y{}, z{};

  SPHAERA_INLINE void set(std::size_t slot, const Vec3& v) { x[slot] = v.x, y[slot] = v.y, z[slot] = v.z; }
  SPHAERA_INLINE Vec3 operator[](std::size_t slot) const { return {x[slot], y[slot], z[slot]}; }
};

}  // namespace sphaera::exact
