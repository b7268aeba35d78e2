#pragma once
/// \file One interface to Embree 3.13 and Embree 4. In this folder only this file and device.cpp know
/// the version.

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <memory>

namespace sphaera::index {

struct ReleaseEmbree {
  void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
  void operator()(RTCBVH bvh) const { rtcReleaseBVH(bvh); }
};

using DeviceHandle = std::unique_ptr<RTCDeviceTy, ReleaseEmbree>;
using BvhHandle = std::unique_ptr<RTCBVHTy, ReleaseEmbree>;

}  // namespace sphaera::index
