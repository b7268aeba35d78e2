#include <algorithm>
#include <bench/level/stage.hpp>
#include <bench/peers/outward.hpp>
#include <stdexcept>

namespace sphaera::bench {

Stage::Stage() : device_(rtcNewDevice("hugepages=1")) {
  if (!device_) throw std::runtime_error("Embree gives no device; is the library installed for this CPU?");
  rtcSetDeviceMemoryMonitorFunction(
      device_.get(),
      [](void* bytes, ssize_t change, bool) {
        static_cast<std::atomic<std::int64_t>*>(bytes)->fetch_add(change);
        return true;
      },
      &bytes_);
  scene_.reset(rtcNewScene(device_.get()));
}

void Stage::add_walls(const Walls& walls) {
  const GeometryHandle geometry(rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE));
  rtcSetSharedGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                             walls.vertices.data(), 0, sizeof(walls.vertices[0]), walls.vertices.size());
  rtcSetSharedGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                             walls.triangles.data(), 0, sizeof(walls.triangles[0]), walls.triangles.size());
  rtcCommitGeometry(geometry.get());
  rtcAttachGeometryByID(scene(), geometry.get(), walls_id);
}

void Stage::add_people(RTCGeometry geometry) { rtcAttachGeometryByID(scene(), geometry, people_id); }

void Stage::commit() {
  rtcCommitScene(scene());
  if (rtcGetDeviceError(device()) != RTC_ERROR_NONE) throw std::runtime_error("Embree failed to build");
}

RTCRayHit query_of(const Ray& ray) {
  RTCRayHit out{};
  out.ray.org_x = static_cast<float>(ray.origin.x);
  out.ray.org_y = static_cast<float>(ray.origin.y);
  out.ray.org_z = static_cast<float>(ray.origin.z);
  out.ray.dir_x = static_cast<float>(ray.direction.x);
  out.ray.dir_y = static_cast<float>(ray.direction.y);
  out.ray.dir_z = static_cast<float>(ray.direction.z);
  out.ray.tnear = std::max(0.0f, below(ray.t_min));
  out.ray.tfar = above(ray.t_max);
  out.ray.mask = 0xffffffffu;
  out.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  out.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  return out;
}

void any_plainly(RTCScene scene, std::span<const Ray> rays, std::span<FirstOfBoth> out) {
  for (std::size_t i = 0; i < rays.size(); ++i) {
    RayContext context;
    init_context(context);
    RTCRay query = query_of(rays[i]).ray;
    occluded1(scene, query, context);
    out[i] = {.t = query.tfar < 0 ? 0 : infinity};
  }
}

}  // namespace sphaera::bench
