#include <algorithm>
#include <bench/peers/certified.hpp>
#include <cmath>

namespace sphaera::bench {
namespace {

__extension__ using Quad = __float128;

struct QuadVec {
  Quad x, y, z;
};

Quad dot(const QuadVec& a, const QuadVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

Quad square_root(Quad value) {
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

QuadRoots quad_roots(const Ray& ray, const Sphere& sphere) {
  const QuadVec d{ray.direction.x, ray.direction.y, ray.direction.z};
  const QuadVec l{Quad(ray.origin.x) - sphere.center.x, Quad(ray.origin.y) - sphere.center.y,
                  Quad(ray.origin.z) - sphere.center.z};
  const QuadVec w{l.y * d.z - l.z * d.y, l.z * d.x - l.x * d.z, l.x * d.y - l.y * d.x};
  const Quad a = dot(d, d), b = -dot(l, d);
  const Quad discriminant = a * sphere.radius * sphere.radius - dot(w, w);
  const Quad root = square_root(discriminant);
  return {discriminant >= 0, (b - root) / a, (b + root) / a};
}

}  // namespace

Meeting meet_in_quad(const Ray& ray, const Sphere& sphere) {
  const auto [real, first, second] = quad_roots(ray, sphere);
  Meeting meeting;
  meeting.hit = real && first <= ray.t_max && second >= ray.t_min;
  meeting.starts_inside = first < ray.t_min;
  meeting.enter = std::max(static_cast<double>(first), ray.t_min);
  meeting.exit = static_cast<double>(second);
  meeting.error = 0x1p-52 * std::max(std::abs(meeting.enter), std::abs(meeting.exit));
  return meeting;
}

bool enters_before(const Ray& ray, const Sphere& a, const Sphere& b) {
  const Quad start = ray.t_min;
  return std::max(quad_roots(ray, a).first, start) < std::max(quad_roots(ray, b).first, start);
}

}  // namespace sphaera::bench
