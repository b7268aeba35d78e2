#pragma once
/// \file The naive peer's own ray–sphere test. It shares nothing with engine/exact: double with a forward
/// error bound, and binary128 if double is unsure. (Binary128 is no proof either, but its unsure range is
/// 2^-60 of that of double.)

#include <algorithm>
#include <cmath>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::bench {

/// A ray with values shared by its tests.
struct CertifiedRay {
  CertifiedRay() = default;
  explicit CertifiedRay(const Ray& r) : ray(r), length_squared(dot(r.direction, r.direction)) {}

  Ray ray;
  double length_squared = 0;
};

struct CertifiedHit {
  bool is_hit = false;
  double enter = 0, exit = 0;  ///< t of entry and exit of a hit; enter is max(t_min, t1)
  double error = 0;            ///< error bound of enter and exit
  bool starts_inside = false;  ///< t1 < t_min, to within the error
};

/// The second stage of `certified_hit`.
CertifiedHit hit_in_quad(const Ray& ray, const Sphere& sphere);

/// Intersection of the ray and the closed ball.
///
/// With u = 2^-53, l rounded to u and w = l × d: |ŵ − w| ≤ 3.01u·√2·|l||d|, hence, by 2xy ≤ εx² + y²/ε with
/// ε = 2^-30, | |ŵ|² − |w|² | ≤ 2^-30 |ŵ|² + 2^-71 |l|²|d|². The slack below is twice that, and covers the
/// few u of the sums and of a·r².
inline CertifiedHit certified_hit(const CertifiedRay& prepared, const Sphere& sphere) {
  constexpr double cross_slack = 0x1p-29, offset_slack = 0x1p-70, tiniest = 0x1p-500;
  const Ray& ray = prepared.ray;
  const double a = prepared.length_squared;
  const Vec3 l = ray.origin - sphere.center;
  const Vec3 w = cross(l, ray.direction);
  const double limit = a * (sphere.radius * sphere.radius), miss = dot(w, w);
  const double discriminant = limit - miss;
  const double offset_squared = dot(l, l) * a;
  const double slack = cross_slack * (miss + limit) + offset_slack * offset_squared + tiniest;
  if (discriminant < -slack) return {};
  if (!(discriminant > slack)) return hit_in_quad(ray, sphere);

  // The roots' numerators err by 4.1u|l||d| (from b), slack/root (from √) and a few u of their own
  // magnitude, which is at most |l||d| + root.
  constexpr double root_slack = 0x1p-49;
  const double root = std::sqrt(discriminant);
  const double b = -dot(l, ray.direction);
  const double first = (b - root) / a, second = (b + root) / a;
  const double error = (root_slack * (std::sqrt(offset_squared) + root) + slack / root) / a;
  if (first - error > ray.t_max || second + error < ray.t_min) return {};
  if (first + error > ray.t_max || second - error < ray.t_min) return hit_in_quad(ray, sphere);
  return {true, std::max(first, ray.t_min), second, error, first < ray.t_min};
}

/// True if the ray enters `a` before `b`.
bool enters_before(const Ray& ray, const Sphere& a, const Sphere& b);

}  // namespace sphaera::bench
