#pragma once
/// \file Calls of Embree with one ray, with packets and with streams, one name for all; and the lanes of a
/// packet.

#include <bench/peers/embree_peer.hpp>
#include <type_traits>

namespace sphaera::bench {

inline void call(RTCScene scene, RTCRay& ray, RayContext& context) { occluded1(scene, ray, context); }
inline void call(RTCScene scene, RTCRayHit& ray, RayContext& context) { intersect1(scene, ray, context); }

#if RTC_VERSION_MAJOR >= 4
inline constexpr bool embree_has_streams = false;

struct OccludedArguments : RTCOccludedArguments {
  explicit OccludedArguments(RayContext& of_rays) { rtcInitOccludedArguments(this), context = &of_rays; }
};
struct IntersectArguments : RTCIntersectArguments {
  explicit IntersectArguments(RayContext& of_rays) { rtcInitIntersectArguments(this), context = &of_rays; }
};
inline void call(const int* valid, RTCScene scene, RTCRay8& rays, RayContext& context) {
  OccludedArguments arguments(context);
  rtcOccluded8(valid, scene, &rays, &arguments);
}
inline void call(const int* valid, RTCScene scene, RTCRay16& rays, RayContext& context) {
  OccludedArguments arguments(context);
  rtcOccluded16(valid, scene, &rays, &arguments);
}
inline void call(const int* valid, RTCScene scene, RTCRayHit8& rays, RayContext& context) {
  IntersectArguments arguments(context);
  rtcIntersect8(valid, scene, &rays, &arguments);
}
inline void call(const int* valid, RTCScene scene, RTCRayHit16& rays, RayContext& context) {
  IntersectArguments arguments(context);
  rtcIntersect16(valid, scene, &rays, &arguments);
}
/// Embree 4 has no streams.
template <class Single>
void call_stream(RTCScene, Single*, unsigned, RayContext&, bool) {}
#else
inline constexpr bool embree_has_streams = true;

inline void call(const int* valid, RTCScene scene, RTCRay8& rays, RayContext& context) {
  rtcOccluded8(valid, scene, &context, &rays);
}
inline void call(const int* valid, RTCScene scene, RTCRay16& rays, RayContext& context) {
  rtcOccluded16(valid, scene, &context, &rays);
}
inline void call(const int* valid, RTCScene scene, RTCRayHit8& rays, RayContext& context) {
  rtcIntersect8(valid, scene, &context, &rays);
}
inline void call(const int* valid, RTCScene scene, RTCRayHit16& rays, RayContext& context) {
  rtcIntersect16(valid, scene, &context, &rays);
}
template <class Single>
void call_stream(RTCScene scene, Single* rays, unsigned count, RayContext& context, bool coherent) {
  context.flags = coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
  if constexpr (std::is_same_v<Single, RTCRay>)
    rtcOccluded1M(scene, &context, rays, count, sizeof(Single));
  else
    rtcIntersect1M(scene, &context, rays, count, sizeof(Single));
}
#endif

/// Types for K rays of a query whose single ray is an RTCRay (is anything hit?) or an RTCRayHit (what
/// first?).
template <class Single, int K>
using PacketOf =
    std::conditional_t<std::is_same_v<Single, RTCRay>, std::conditional_t<K == 8, RTCRay8, RTCRay16>,
                       std::conditional_t<K == 8, RTCRayHit8, RTCRayHit16>>;

inline void put_ray(RTCRay& to, const RTCRay& ray) { to = ray; }
inline void put_ray(RTCRayHit& to, const RTCRay& ray) {
  to.ray = ray, to.hit.geomID = RTC_INVALID_GEOMETRY_ID;
}

template <class Rays>
void put_lane(Rays& to, int k, const RTCRay& ray) {
  if constexpr (requires { to.hit; }) {
    put_lane(to.ray, k, ray);
    to.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
  } else {
    to.org_x[k] = ray.org_x, to.org_y[k] = ray.org_y, to.org_z[k] = ray.org_z;
    to.dir_x[k] = ray.dir_x, to.dir_y[k] = ray.dir_y, to.dir_z[k] = ray.dir_z;
    to.tnear[k] = ray.tnear, to.tfar[k] = ray.tfar, to.time[k] = ray.time;
    to.mask[k] = ray.mask, to.id[k] = ray.id, to.flags[k] = ray.flags;
  }
}

/// What Embree found for a ray. `geometry` and `primitive` count only for first hits.
struct Found {
  float t_far;
  unsigned geometry, primitive;
};
inline Found found(const RTCRay& ray) { return {ray.tfar, 0, 0}; }
inline Found found(const RTCRayHit& ray) { return {ray.ray.tfar, ray.hit.geomID, ray.hit.primID}; }
template <class Rays>
Found found(const Rays& rays, int k) {
  if constexpr (requires { rays.hit; })
    return {rays.ray.tfar[k], rays.hit.geomID[k], rays.hit.primID[k]};
  else
    return {rays.tfar[k], 0, 0};
}

}  // namespace sphaera::bench
