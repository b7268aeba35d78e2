#pragma once
/// \file Scenes, single rays and point queries of Embree 3.13 and Embree 4 behind one interface.

#include <index/device/embree_version.hpp>
#include <memory>

namespace sphaera::embree_index {

#if RTC_VERSION_MAJOR >= 4
using RayContext = RTCRayQueryContext;

inline void occluded1(RTCScene scene, RTCRay& ray, RayContext& context) {
  RTCOccludedArguments arguments;
  rtcInitOccludedArguments(&arguments);
  arguments.context = &context;
  rtcOccluded1(scene, &ray, &arguments);
}

inline void intersect1(RTCScene scene, RTCRayHit& ray, RayContext& context) {
  RTCIntersectArguments arguments;
  rtcInitIntersectArguments(&arguments);
  arguments.context = &context;
  rtcIntersect1(scene, &ray, &arguments);
}

inline void init_context(RayContext& context) { rtcInitRayQueryContext(&context); }
#else
using RayContext = RTCIntersectContext;

inline void occluded1(RTCScene scene, RTCRay& ray, RayContext& context) {
  rtcOccluded1(scene, &context, &ray);
}

inline void intersect1(RTCScene scene, RTCRayHit& ray, RayContext& context) {
  rtcIntersect1(scene, &context, &ray);
}

inline void init_context(RayContext& context) { rtcInitIntersectContext(&context); }
#endif

/// Calls `found` for every primitive whose bounds the ball meets. `found` returns true where it has made the
/// ball smaller. The point and the radius must keep their squares finite.
inline void point_query(RTCScene scene, RTCPointQuery& ball, RTCPointQueryFunction found, void* user) {
  RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  rtcPointQuery(scene, &ball, &context, found, user);
}

struct ReleaseEmbree {
  void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
  void operator()(RTCGeometry geometry) const { rtcReleaseGeometry(geometry); }
};

using SceneHandle = std::unique_ptr<RTCSceneTy, ReleaseEmbree>;
using GeometryHandle = std::unique_ptr<RTCGeometryTy, ReleaseEmbree>;

}  // namespace sphaera::embree_index
