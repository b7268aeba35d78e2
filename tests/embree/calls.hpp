#pragma once
/// \file Embree's queries behind one interface, for Embree 3 and 4 and for 1, 4, 8 and 16 rays.

#include <sphaera/embree.hpp>

#include <memory>
#include <vector>

namespace sphaera::test {

using embree::PlainContext, embree::QueryContext;

struct Release {
  void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
  void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
  void operator()(RTCGeometry geometry) const { rtcReleaseGeometry(geometry); }
};
using DeviceHandle = std::unique_ptr<RTCDeviceTy, Release>;
using SceneHandle = std::unique_ptr<RTCSceneTy, Release>;
using GeometryHandle = std::unique_ptr<RTCGeometryTy, Release>;

inline void init(PlainContext& context) {
#if RTC_VERSION_MAJOR >= 4
  rtcInitRayQueryContext(&context);
#else
  rtcInitIntersectContext(&context);
#endif
}

/// Rays a call: 1, 4, 8 or 16.
#if defined(__aarch64__)
/// Embree 3.13 has no packets of 8 and 16 rays there, and also answers rays of theirs that are not valid.
inline constexpr unsigned widths[] = {1, 4, 1, 4};
#else
inline constexpr unsigned widths[] = {1, 4, 8, 16};
#endif

/// Answers the rays for which valid is not 0, `width` at a time. `coherent` sets Embree's flag.
void intersect(RTCScene scene, PlainContext& context, std::vector<RTCRayHit>& rays,
               const std::vector<int>& valid, unsigned width, bool coherent = false);
void occluded(RTCScene scene, PlainContext& context, std::vector<RTCRay>& rays, const std::vector<int>& valid,
              unsigned width, bool coherent = false);

}  // namespace sphaera::test
