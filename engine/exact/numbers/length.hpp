#pragma once
/// \file Lengths of vectors of any size, by + × and sqrt only: the same bits on every system.

#include <cmath>
#include <exact/numbers/arithmetic.hpp>
#include <exact/numbers/power_of_two.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::exact {

/// |v| of a finite v, off by 3u; a denormal length by half an ulp.
inline double length(const Vec3& v) {
  const double square = dot(v, v);
  if (square > 0x1p-900 && square < 0x1p900) [[likely]]
    return std::sqrt(square);
  const double scale = inverse_scale(v);
  const Vec3 scaled = scale * v;
  return std::sqrt(dot(scaled, scaled)) / scale;
}

/// |x| + |y| + |z|, from |v| to √3·|v|.
SPHAERA_INLINE double one_norm(const Vec3& v) {
  return __builtin_fabs(v.x) + __builtin_fabs(v.y) + __builtin_fabs(v.z);
}

}  // namespace sphaera::exact
