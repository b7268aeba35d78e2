#pragma once
/// \file Moving built-in sphere points of Embree.

#include <bench/measure/huge_vector.hpp>
#include <bench/peers/embree_peer.hpp>
#include <cstdint>
#include <span>
#include <sphaera/sphere.hpp>

namespace sphaera::bench {

enum class PeerUpdate : std::uint8_t {
  rebuild,  ///< RTC_BUILD_QUALITY_MEDIUM
  refit,    ///< RTC_BUILD_QUALITY_REFIT, in a dynamic scene
};

class MovingPoints {
 public:
  MovingPoints(std::span<const Sphere> spheres, PeerUpdate how);

  /// Writes the centers into Embree's buffer and commits, in the caller's arena.
  void update(std::span<const Vec3> centers);

 private:
  void commit();

  HugeVector<FloatPoint> points_;
  index::DeviceHandle device_;
  SceneHandle scene_;
  GeometryHandle geometry_;
};

}  // namespace sphaera::bench
