#include <algorithm>
#include <cmath>
#include <limits>
#include <tests/embree/walls_and_spheres.hpp>

namespace sphaera::test {
namespace {

constexpr float float_infinity = std::numeric_limits<float>::infinity();

/// A triangle in the plane that touches the sphere at the end of its radius along an axis.
void add_touching(const Sphere& s, Random& random, std::vector<Vec3>& corners) {
  const int axis = random.below(3);
  const double side = random.one_in(2) ? 1 : -1;
  double p[] = {s.center.x, s.center.y, s.center.z};
  p[axis] += side * s.radius;
  for (int corner = 0; corner < 3; ++corner) {
    double q[] = {p[0], p[1], p[2]};
    q[(axis + 1) % 3] += s.radius * (corner == 0 ? -4 : 4),
        q[(axis + 2) % 3] += s.radius * (corner == 1 ? -4 : 4);
    corners.push_back({q[0], q[1], q[2]});
  }
}

}  // namespace

std::vector<Vec3> make_walls(const std::vector<Sphere>& spheres, std::size_t n, Random& random) {
  std::vector<Vec3> corners;
  for (std::size_t i = 0; i < n; ++i) {
    const Sphere& s = spheres[random.bits() % spheres.size()];
    if (random.one_in(2)) {
      add_touching(s, random, corners);
    } else {
      for (int corner = 0; corner < 3; ++corner) corners.push_back(s.center + random.in_cube(5 * s.radius));
    }
  }
  return corners;
}

SceneHandle wall_scene(RTCDevice device, const std::vector<Vec3>& corners, bool commit) {
  SceneHandle scene(rtcNewScene(device));
  const GeometryHandle mesh(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE));
  auto* const vertices = static_cast<float*>(
      rtcSetNewGeometryBuffer(mesh.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, corners.size()));
  auto* const indices = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
      mesh.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, corners.size() / 3));
  for (std::size_t i = 0; i < corners.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis)
      vertices[3 * i + static_cast<std::size_t>(axis)] = static_cast<float>(corners[i][axis]);
    indices[i] = static_cast<unsigned>(i);
  }
  rtcCommitGeometry(mesh.get());
  rtcAttachGeometry(scene.get(), mesh.get());
  if (commit) rtcCommitScene(scene.get());
  return scene;
}

std::vector<Ray> embree_rays(const std::vector<Sphere>& spheres, double extent, std::size_t n,
                             Random& random) {
  std::vector<Ray> rays;
  while (rays.size() < n) {
    for (Ray ray : make_rays(spheres, n, random)) {
      const auto largest = [](const Vec3& v) {
        return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
      };
      if (!(largest(ray.origin) <= extent)) continue;
      const int exponent = std::ilogb(largest(ray.direction));
      if (exponent < -20 || exponent > 40) {
        ray.direction = {std::ldexp(ray.direction.x, -exponent), std::ldexp(ray.direction.y, -exponent),
                         std::ldexp(ray.direction.z, -exponent)};
        ray.t_min = std::ldexp(ray.t_min, exponent), ray.t_max = std::ldexp(ray.t_max, exponent);
      }
      if (std::fabs(ray.t_min) > 1e30) ray.t_min = 0;  // float has none beyond 3e38
      if (rays.size() < n) rays.push_back(ray);
    }
  }
  return rays;
}

Ray in_double(const RTCRay& r) {
  return {{r.org_x, r.org_y, r.org_z}, {r.dir_x, r.dir_y, r.dir_z}, r.tnear, r.tfar};
}

bool enters_before(const oracle::Sight& sight, double t) {
  if (t == infinity) return true;
  if (!(sight.t_min < t)) return false;
  oracle::Sight until = sight;
  until.t_max = t;
  const Contact how = oracle::contact(until);
  if (how == Contact::starts_inside) return true;  // at t_min, before t
  const bool at_t = oracle::sign_power(sight, t) == 0 && oracle::sign_slope(sight, t) <= 0;
  return how != Contact::miss && !at_t;
}

const SphereSight* first_of(const std::vector<SphereSight>& seen) {
  const SphereSight* first = nullptr;
  for (const SphereSight& s : seen) {
    if (!oracle::meets(s.sight)) continue;
    const int order = first ? oracle::compare_entries(s.sight, first->sight) : -1;
    if (order < 0 || (order == 0 && s.id < first->id)) first = &s;
  }
  return first;
}

bool is_entry(const oracle::Sight& sight, float tfar) {
  return !enters_before(sight, tfar) && enters_before(sight, std::nextafter(tfar, float_infinity));
}

bool is_coherent_entry(const oracle::Sight& sight, const RTCRay& ray, float tfar) {
  const float after = std::nextafter(ray.tnear, float_infinity);
  const float least = std::min(std::max(after, std::numeric_limits<float>::min()), ray.tfar);
  if (tfar != least) return tfar > least && is_entry(sight, tfar);
  return enters_before(sight, std::nextafter(tfar, float_infinity));
}

const SphereSight* expected(std::vector<SphereSight>& seen, const RTCRayHit& wall) {
  for (SphereSight& s : seen) s.sight.t_max = std::min<double>(s.sight.t_max, wall.ray.tfar);
  const SphereSight* const first = first_of(seen);
  const bool hit = wall.hit.geomID != RTC_INVALID_GEOMETRY_ID;
  return first && (!hit || enters_before(first->sight, wall.ray.tfar)) ? first : nullptr;
}

}  // namespace sphaera::test
