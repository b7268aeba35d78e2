#pragma once
/// \file Vectors of double-doubles.

#include <exact/numbers/double_double.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::ballistics {

/// Plain members and no array, so that loops over many vectors are vectorized.
template <class Arithmetic>
struct LongVec3 {
  using Double2 = exact::DoubleDouble<Arithmetic>;

  Double2 x, y, z;

  SPHAERA_INLINE static LongVec3 of(const Vec3& high, const Vec3& low = {}) {
    return {exact::TwoDouble{high.x, low.x}, exact::TwoDouble{high.y, low.y},
            exact::TwoDouble{high.z, low.z}};
  }

  SPHAERA_INLINE Vec3 rounded() const {
    return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
  }
  SPHAERA_INLINE Vec3 high() const { return {x.hi, y.hi, z.hi}; }

  SPHAERA_INLINE friend LongVec3 operator+(const LongVec3& a, const LongVec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  SPHAERA_INLINE friend LongVec3 operator-(const LongVec3& a, const LongVec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  SPHAERA_INLINE friend LongVec3 operator*(const Double2& s, const LongVec3& v) {
    return {s * v.x, s * v.y, s * v.z};
  }
  SPHAERA_INLINE friend Double2 dot(const LongVec3& a, const LongVec3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }
};

}  // namespace sphaera::ballistics
