#pragma once
/// \file A line and a ball in binary128, for cases in which double is unsure.

#include <algorithm>
#include <bench/peers/naive/certified.hpp>
#include <cmath>

namespace sphaera::bench {

__extension__ using Quad = __float128;

struct QuadVec {
  Quad x, y, z;
};

inline Quad dot(const QuadVec& a, const QuadVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

inline Quad square_root(Quad value) {
  if (value <= 0) return 0;
  Quad root = std::sqrt(static_cast<double>(value));
  if (root == 0) return 0;
  for (int k = 0; k < 2; ++k) root = (root + value / root) / 2;  // 53 → 106 → 113 bits
  return root;
}

struct QuadRoots {
  bool real;
  Quad first, second;
};

/// Values t at which l + t d has length r. Precondition: d ≠ 0.
inline QuadRoots quad_roots(const QuadVec& l, const QuadVec& d, Quad r) {
  const QuadVec w{l.y * d.z - l.z * d.y, l.z * d.x - l.x * d.z, l.x * d.y - l.y * d.x};
  const Quad a = dot(d, d), b = -dot(l, d);
  const Quad discriminant = a * r * r - dot(w, w);
  const Quad root = square_root(discriminant);
  return {discriminant >= 0, (b - root) / a, (b + root) / a};
}

/// The hit of a ray from t_min to t_max whose line has these roots.
inline CertifiedHit hit_of(const QuadRoots& roots, double t_min, double t_max) {
  const auto [real, first, second] = roots;
  CertifiedHit hit;
  hit.is_hit = real && first <= t_max && second >= t_min;
  hit.starts_inside = first < t_min;
  hit.enter = std::max(static_cast<double>(first), t_min);
  hit.exit = static_cast<double>(second);
  hit.error = 0x1p-52 * std::max(std::abs(hit.enter), std::abs(hit.exit));
  return hit;
}

}  // namespace sphaera::bench
