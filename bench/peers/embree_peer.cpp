#include <bench/peers/embree_peer.hpp>
#include <stdexcept>

namespace sphaera::bench {

CountingDevice::CountingDevice() : device_(rtcNewDevice("hugepages=1")) {
  if (!device_) throw std::runtime_error("Embree gives no device; is the library installed for this CPU?");
  rtcSetDeviceMemoryMonitorFunction(
      device_.get(),
      [](void* bytes, ssize_t change, bool) {
        static_cast<std::atomic<std::int64_t>*>(bytes)->fetch_add(change);
        return true;
      },
      &bytes_);
}

void EmbreePeer::commit(GeometryHandle geometry) {
  scene_.reset(rtcNewScene(device_.get()));
  rtcSetGeometryBuildQuality(geometry.get(), RTC_BUILD_QUALITY_MEDIUM);
  rtcSetSceneBuildQuality(scene_.get(), RTC_BUILD_QUALITY_MEDIUM);
  rtcCommitGeometry(geometry.get());
  rtcAttachGeometry(scene_.get(), geometry.get());
  rtcCommitScene(scene_.get());
  if (rtcGetDeviceError(device_.get()) != RTC_ERROR_NONE) throw std::runtime_error("Embree failed to build");
}

}  // namespace sphaera::bench
