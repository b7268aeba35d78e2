#pragma once
/// \file Bounds of single spheres and of groups, for the builders.

#include <array>
#include <cstdint>
#include <cstring>
#include <exact/numbers/arithmetic.hpp>
#include <limits>

namespace sphaera::index {

/// A sphere's aabb, rounded to nearest: rays are never tested against it.
struct alignas(32) SphereBox {
  std::array<float, 3> lower;
  std::uint32_t id;
  std::array<float, 3> negated_upper;
  std::uint32_t unused;
};

/// Lower corner and negated upper corner, four lanes each, the last idle. Enlarging the aabb is two
/// minima.
struct Aabb {
  using Lanes = float __attribute__((vector_size(16)));
  Lanes lower, negated_upper;

  Aabb() = default;
  SPHAERA_INLINE explicit Aabb(const SphereBox& box) {
    using Bits = std::int32_t __attribute__((vector_size(16)));
    constexpr Bits corner{-1, -1, -1, 0};  // not the id
    Bits bits[2];
    std::memcpy(bits, &box, sizeof bits);
    bits[0] &= corner, bits[1] &= corner;
    std::memcpy(&lower, &bits[0], sizeof lower);
    std::memcpy(&negated_upper, &bits[1], sizeof negated_upper);
  }
  /// The aabb of no spheres.
  SPHAERA_INLINE static Aabb empty() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Aabb aabb;
    aabb.lower = aabb.negated_upper = Lanes{infinity, infinity, infinity, infinity};
    return aabb;
  }
  SPHAERA_INLINE void add(const Aabb& other) {
    lower = other.lower < lower ? other.lower : lower;
    negated_upper = other.negated_upper < negated_upper ? other.negated_upper : negated_upper;
  }
  SPHAERA_INLINE Lanes size() const { return -(lower + negated_upper); }
  SPHAERA_INLINE float half_area() const {
    const Lanes s = size();
    return s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
  }
};

}  // namespace sphaera::index
