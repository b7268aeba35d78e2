#pragma once
/// \file Vectors whose coordinates have 100 decimal digits.

#include <array>
#include <sphaera/vec3.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/oracle/radicals.hpp>
#include <tests/oracle/roots.hpp>

namespace sphaera::oracle {

using Place = std::array<Real, 3>;

inline Real dot(const Place& a, const Place& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Place along(const Place& a, const Real& s, const Place& b) {
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
inline Place real(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Place real(const oracle::Vector& v) { return {to_real(v[0]), to_real(v[1]), to_real(v[2])}; }
inline Real length(const Place& v) { return sqrt(dot(v, v)); }

}  // namespace sphaera::oracle
