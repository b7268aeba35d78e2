#include <base/floating_point_environment.hpp>
#include <bridge/lane_query.hpp>
#include <index/boxes/frame.hpp>
#include <sphaera/embree.hpp>

namespace sphaera::inline SPHAERA_ABI::embree {
inline namespace SPHAERA_EMBREE_ABI {

namespace {

/// Embree traces a component in (−1e-18, 0) as +1e-18, but takes its sign for a coherent packet's frustum,
/// which then loses spheres of all rays (proofs.md, section 1). 0 is traced as +1e-18, too.
float direction(double component) {
  const auto d = static_cast<float>(component);
  return -1e-18f < d && d < 0 ? 0 : d;
}

}  // namespace

RTCRay float_ray(const Ray& ray, unsigned id, float time) {
  const base::FloatingPointEnvironment mode;
  RTCRay r{};
  r.org_x = static_cast<float>(ray.origin.x), r.org_y = static_cast<float>(ray.origin.y);
  r.org_z = static_cast<float>(ray.origin.z);
  r.dir_x = direction(ray.direction.x), r.dir_y = direction(ray.direction.y);
  r.dir_z = direction(ray.direction.z);
  r.tnear = ray.t_min > 0 ? index::round_down(ray.t_min) : 0;  // Embree accepts no tnear below 0
  r.tfar = index::round_up(ray.t_max);
  if (r.tfar == r.tnear) r.tfar = bridge::least_tfar(r.tnear);
  r.time = time, r.mask = ~0u, r.id = id, r.flags = 0;
  return r;
}

RTCRayHit float_ray_hit(const Ray& ray, unsigned id, float time) {
  RTCRayHit r{};
  r.ray = float_ray(ray, id, time);
  r.hit.primID = r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  for (unsigned& instance : r.hit.instID) instance = RTC_INVALID_GEOMETRY_ID;
  return r;
}

}  // namespace SPHAERA_EMBREE_ABI
}  // namespace sphaera::inline SPHAERA_ABI::embree
