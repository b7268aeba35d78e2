#include <bench/peers/naive/binary128.hpp>
#include <bench/peers/naive/certified_shot.hpp>

namespace sphaera::bench {
namespace {

QuadRoots roots_of(const Bullet& bullet, const Target& target) {
  const Vec3 &o = bullet.origin, &c = target.sphere.center, &v = bullet.velocity;
  const Vec3 w = target.velocity ? *target.velocity : Vec3{};
  const Quad start = bullet.start;
  return quad_roots(
      {(Quad(o.x) - c.x) - start * w.x, (Quad(o.y) - c.y) - start * w.y, (Quad(o.z) - c.z) - start * w.z},
      {Quad(v.x) - w.x, Quad(v.y) - w.y, Quad(v.z) - w.z}, Quad(target.sphere.radius) + bullet.radius);
}

}  // namespace

CertifiedHit hit_in_quad(const FlightSection& shot, const Target& target) {
  return hit_of(roots_of(shot.bullet, target), shot.t_first, shot.t_last);
}

bool enters_before(const FlightSection& shot, const Target& a, const Target& b) {
  const Quad start = shot.t_first;
  return std::max(roots_of(shot.bullet, a).first, start) < std::max(roots_of(shot.bullet, b).first, start);
}

}  // namespace sphaera::bench
