#include <algorithm>
#include <bench/peers/naive/binary128.hpp>
#include <bench/peers/naive/certified.hpp>
#include <cmath>

namespace sphaera::bench {
namespace {

QuadRoots roots_of(const Ray& ray, const Sphere& sphere) {
  const Vec3 &o = ray.origin, &c = sphere.center, &d = ray.direction;
  return quad_roots({Quad(o.x) - c.x, Quad(o.y) - c.y, Quad(o.z) - c.z}, {d.x, d.y, d.z}, sphere.radius);
}

}  // namespace

CertifiedHit hit_in_quad(const Ray& ray, const Sphere& sphere) {
  return hit_of(roots_of(ray, sphere), ray.t_min, ray.t_max);
}

bool enters_before(const Ray& ray, const Sphere& a, const Sphere& b) {
  const Quad start = ray.t_min;
  return std::max(roots_of(ray, a).first, start) < std::max(roots_of(ray, b).first, start);
}

}  // namespace sphaera::bench
