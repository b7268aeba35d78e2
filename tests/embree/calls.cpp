#include <algorithm>
#include <array>
#include <tests/embree/calls.hpp>

namespace sphaera::test {
namespace {

/// The function for a packet type.
template <class Packet>
struct Call;

#if RTC_VERSION_MAJOR >= 4
#define SPHAERA_CALL(packet, function, Kind)                                                                \
  template <>                                                                                               \
  struct Call<packet> {                                                                                     \
    static void run(const int* valid, RTCScene scene, PlainContext& context, packet& rays, bool coherent) { \
      RTC##Kind##Arguments arguments;                                                                       \
      rtcInit##Kind##Arguments(&arguments);                                                                 \
      arguments.context = &context;                                                                         \
      arguments.flags = coherent ? RTC_RAY_QUERY_FLAG_COHERENT : RTC_RAY_QUERY_FLAG_INCOHERENT;             \
      function(valid, scene, &rays, &arguments);                                                            \
    }                                                                                                       \
  };
inline void single(const int* valid, RTCScene scene, RTCRayHit* ray, RTCIntersectArguments* arguments) {
  if (*valid) rtcIntersect1(scene, ray, arguments);
}
inline void single(const int* valid, RTCScene scene, RTCRay* ray, RTCOccludedArguments* arguments) {
  if (*valid) rtcOccluded1(scene, ray, arguments);
}
#else
#define SPHAERA_CALL(packet, function, Kind)                                                                \
  template <>                                                                                               \
  struct Call<packet> {                                                                                     \
    static void run(const int* valid, RTCScene scene, PlainContext& context, packet& rays, bool coherent) { \
      context.flags =                                                                                       \
          coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;           \
      function(valid, scene, &context, &rays);                                                              \
    }                                                                                                       \
  };
void single(const int* valid, RTCScene scene, RTCIntersectContext* context, RTCRayHit* ray) {
  if (*valid) rtcIntersect1(scene, context, ray);
}
void single(const int* valid, RTCScene scene, RTCIntersectContext* context, RTCRay* ray) {
  if (*valid) rtcOccluded1(scene, context, ray);
}
#endif
SPHAERA_CALL(RTCRayHit, single, Intersect)
SPHAERA_CALL(RTCRayHit4, rtcIntersect4, Intersect)
SPHAERA_CALL(RTCRayHit8, rtcIntersect8, Intersect)
SPHAERA_CALL(RTCRayHit16, rtcIntersect16, Intersect)
SPHAERA_CALL(RTCRay, single, Occluded)
SPHAERA_CALL(RTCRay4, rtcOccluded4, Occluded)
SPHAERA_CALL(RTCRay8, rtcOccluded8, Occluded)
SPHAERA_CALL(RTCRay16, rtcOccluded16, Occluded)
#undef SPHAERA_CALL

void put(RTCRayN* rays, unsigned n, unsigned i, const RTCRay& ray) {
  RTCRayN_org_x(rays, n, i) = ray.org_x, RTCRayN_org_y(rays, n, i) = ray.org_y,
                         RTCRayN_org_z(rays, n, i) = ray.org_z;
  RTCRayN_dir_x(rays, n, i) = ray.dir_x, RTCRayN_dir_y(rays, n, i) = ray.dir_y,
                         RTCRayN_dir_z(rays, n, i) = ray.dir_z;
  RTCRayN_tnear(rays, n, i) = ray.tnear, RTCRayN_tfar(rays, n, i) = ray.tfar,
                         RTCRayN_time(rays, n, i) = ray.time;
  RTCRayN_mask(rays, n, i) = ray.mask, RTCRayN_id(rays, n, i) = ray.id, RTCRayN_flags(rays, n, i) = ray.flags;
}
void put(void* packet, unsigned n, unsigned i, const RTCRayHit& ray) {
  auto* const both = static_cast<RTCRayHitN*>(packet);
  put(RTCRayHitN_RayN(both, n), n, i, ray.ray);
  rtcCopyHitToHitN(RTCRayHitN_HitN(both, n), &ray.hit, n, i);
}
void put(void* packet, unsigned n, unsigned i, const RTCRay& ray) {
  put(static_cast<RTCRayN*>(packet), n, i, ray);
}
void get(void* packet, unsigned n, unsigned i, RTCRayHit& ray) {
  auto* const both = static_cast<RTCRayHitN*>(packet);
  ray = {rtcGetRayFromRayN(RTCRayHitN_RayN(both, n), n, i),
         rtcGetHitFromHitN(RTCRayHitN_HitN(both, n), n, i)};
}
void get(void* packet, unsigned n, unsigned i, RTCRay& ray) {
  ray = rtcGetRayFromRayN(static_cast<RTCRayN*>(packet), n, i);
}

template <class Packet, unsigned width, class Item>
void run(RTCScene scene, PlainContext& context, std::vector<Item>& rays, const std::vector<int>& valid,
         bool coherent) {
  for (std::size_t begin = 0; begin < rays.size(); begin += width) {
    alignas(64) Packet packet;
    alignas(64) std::array<int, width> lanes{};
    for (unsigned i = 0; i < width; ++i) {
      const std::size_t at = std::min(begin + i, rays.size() - 1);
      put(&packet, width, i, rays[at]);
      lanes[i] = begin + i < rays.size() && valid[at] ? -1 : 0;
    }
    Call<Packet>::run(lanes.data(), scene, context, packet, coherent);
    for (unsigned i = 0; i < width && begin + i < rays.size(); ++i) get(&packet, width, i, rays[begin + i]);
  }
}

}  // namespace

void intersect(RTCScene scene, PlainContext& context, std::vector<RTCRayHit>& rays,
               const std::vector<int>& valid, unsigned width, bool coherent) {
  if (width == 1) run<RTCRayHit, 1>(scene, context, rays, valid, coherent);
  if (width == 4) run<RTCRayHit4, 4>(scene, context, rays, valid, coherent);
  if (width == 8) run<RTCRayHit8, 8>(scene, context, rays, valid, coherent);
  if (width == 16) run<RTCRayHit16, 16>(scene, context, rays, valid, coherent);
}

void occluded(RTCScene scene, PlainContext& context, std::vector<RTCRay>& rays, const std::vector<int>& valid,
              unsigned width, bool coherent) {
  if (width == 1) run<RTCRay, 1>(scene, context, rays, valid, coherent);
  if (width == 4) run<RTCRay4, 4>(scene, context, rays, valid, coherent);
  if (width == 8) run<RTCRay8, 8>(scene, context, rays, valid, coherent);
  if (width == 16) run<RTCRay16, 16>(scene, context, rays, valid, coherent);
}

}  // namespace sphaera::test
