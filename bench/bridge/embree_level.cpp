#include <bench/bridge/embree_level.hpp>
#include <stdexcept>

namespace sphaera::bench {

EmbreeLevel::EmbreeLevel() : scene_(rtcNewScene(device_.get())) {}

void EmbreeLevel::add_walls(const Walls& walls) {
  const GeometryHandle geometry(rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE));
  rtcSetSharedGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                             walls.vertices.data(), 0, sizeof(walls.vertices[0]), walls.vertices.size());
  rtcSetSharedGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                             walls.triangles.data(), 0, sizeof(walls.triangles[0]), walls.triangles.size());
  rtcCommitGeometry(geometry.get());
  rtcAttachGeometryByID(scene(), geometry.get(), walls_id);
}

void EmbreeLevel::add_people(RTCGeometry geometry) { rtcAttachGeometryByID(scene(), geometry, people_id); }

void EmbreeLevel::commit() {
  rtcCommitScene(scene());
  if (rtcGetDeviceError(device()) != RTC_ERROR_NONE) throw std::runtime_error("Embree failed to build");
}

RTCRayHit query_of(const Ray& ray) {
  RTCRayHit out{};
  out.ray = outward_ray(ray);
  out.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  out.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  return out;
}

void first_with_own_context(RTCScene scene, std::span<const Ray> rays, std::span<FirstOfBoth> out) {
  for (std::size_t i = 0; i < rays.size(); ++i) {
    RayContext context;
    init_context(context);
    RTCRayHit query = query_of(rays[i]);
    intersect1(scene, query, context);
    out[i] = {};
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) continue;
    out[i].t = static_cast<double>(query.ray.tfar);
    if (query.hit.geomID == EmbreeLevel::people_id) out[i].sphere = query.hit.primID;
  }
}

void any_with_own_context(RTCScene scene, std::span<const Ray> rays, std::span<FirstOfBoth> out) {
  for (std::size_t i = 0; i < rays.size(); ++i) {
    RayContext context;
    init_context(context);
    RTCRay query = query_of(rays[i]).ray;
    occluded1(scene, query, context);
    out[i] = {.t = query.tfar < 0 ? 0 : infinity};
  }
}

}  // namespace sphaera::bench
