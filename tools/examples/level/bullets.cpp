#include "bullets.hpp"

#include <cmath>

namespace level {
namespace {

using sphaera::Vec3;

/// Embree's triangles are floats: a point on a wall of this level is off by less than 50 m · 2^-23 · 8 = 5e-5
/// m. A leg that starts this far off the wall is on the right side of it. Spheres need no such offset: a leg
/// ignores the sphere that it starts on.
constexpr double off_the_wall = 1e-4;

/// The mirrored direction, of length 1.
Vec3 mirrored(const Vec3& direction, const Vec3& normal) {
  const Vec3 out = direction - 2 * dot(direction, normal) * normal;
  return 1 / std::sqrt(dot(out, out)) * out;
}

}  // namespace

std::vector<Leg> shoot(const World& world, const Vec3& from, const Vec3& toward, int bounces) {
  std::vector<Leg> legs;
  Vec3 start = from, direction = toward;
  std::int64_t ignored = -1;
  for (int leg = 0; leg <= bounces; ++leg) {
    const LevelHit seen = world.first({start, direction}, View::whole, ignored);
    if (seen.part == Part::nothing) {
      legs.push_back({start, start + double(50) * direction, Part::nothing, -1});
      break;
    }
    legs.push_back({start, seen.point, seen.part, seen.sphere});
    ignored = seen.sphere;
    start = seen.sphere >= 0 ? seen.point : seen.point + off_the_wall * seen.normal;
    direction = mirrored(direction, seen.normal);
  }
  return legs;
}

}  // namespace level
