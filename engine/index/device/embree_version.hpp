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

/// The error that Embree reported to this thread since the last call. Null device: of a device that could not
/// be made. Without memory for this thread's error rtcGetDeviceError returns UNKNOWN and reports an error of
/// its own, which a second call returns.
inline RTCError take_error(RTCDevice device) {
  const RTCError error = rtcGetDeviceError(device);
  if (error == RTC_ERROR_UNKNOWN && rtcGetDeviceError(device) != RTC_ERROR_NONE)
    return RTC_ERROR_OUT_OF_MEMORY;
  return error;
}

}  // namespace sphaera::index
