#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <bench/peers/embree_moving_points.hpp>
#include <stdexcept>

namespace sphaera::bench {

/// Embree respects a geometry's build quality only in scenes of low quality (rtcSetGeometryBuildQuality's
/// page).
MovingPoints::MovingPoints(std::span<const Sphere> spheres, PeerUpdate how)
    : points_(spheres.size()), device_(rtcNewDevice("hugepages=1")), scene_(rtcNewScene(device_.get())) {
  const bool refit = how == PeerUpdate::refit;
  geometry_.reset(rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_SPHERE_POINT));
  for (std::size_t i = 0; i < spheres.size(); ++i)
    points_[i] = float_point(spheres[i].center, spheres[i].radius);
  rtcSetSharedGeometryBuffer(geometry_.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, points_.data(), 0,
                             sizeof(FloatPoint), points_.size());
  rtcSetSceneFlags(scene_.get(), refit ? RTC_SCENE_FLAG_DYNAMIC : RTC_SCENE_FLAG_NONE);
  rtcSetSceneBuildQuality(scene_.get(), refit ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_MEDIUM);
  rtcSetGeometryBuildQuality(geometry_.get(), refit ? RTC_BUILD_QUALITY_REFIT : RTC_BUILD_QUALITY_MEDIUM);
  rtcAttachGeometry(scene_.get(), geometry_.get());
  commit();
}

void MovingPoints::update(std::span<const Vec3> centers) {
  constexpr std::size_t grain = 1 << 14;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, centers.size(), grain), [&](const auto& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      points_[i].x = static_cast<float>(centers[i].x);
      points_[i].y = static_cast<float>(centers[i].y);
      points_[i].z = static_cast<float>(centers[i].z);
    }
  });
  rtcUpdateGeometryBuffer(geometry_.get(), RTC_BUFFER_TYPE_VERTEX, 0);
  commit();
}

void MovingPoints::commit() {
  rtcCommitGeometry(geometry_.get());
  rtcCommitScene(scene_.get());
  if (rtcGetDeviceError(device_.get()) != RTC_ERROR_NONE) throw std::runtime_error("Embree failed to build");
}

}  // namespace sphaera::bench
