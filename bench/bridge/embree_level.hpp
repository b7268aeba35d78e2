#pragma once
/// \file An Embree scene with walls to which spheres are added.

#include <bench/bridge/method.hpp>
#include <bench/bridge/walls.hpp>
#include <bench/peers/embree_peer.hpp>
#include <sphaera/ray.hpp>

namespace sphaera::bench {

/// A device that counts the bytes it holds, and a scene on it.
class EmbreeLevel {
 public:
  static constexpr unsigned walls_id = 0, people_id = 1;

  EmbreeLevel();

  void add_walls(const Walls& walls);     ///< Embree shares the arrays of `walls`
  void add_people(RTCGeometry geometry);  ///< `geometry` is already committed
  void commit();

  RTCDevice device() const { return device_.get(); }
  RTCScene scene() const { return scene_.get(); }
  double bytes() const { return device_.bytes(); }

 private:
  CountingDevice device_;
  SceneHandle scene_;
};

/// The ray in floats that the peers use (outward_ray), with an empty hit.
RTCRayHit query_of(const Ray& ray);

/// First hit and any-hit, one call a ray, with Embree's own context instead of the bridge's.
void first_with_own_context(RTCScene scene, std::span<const Ray> rays, std::span<FirstOfBoth> out);
void any_with_own_context(RTCScene scene, std::span<const Ray> rays, std::span<FirstOfBoth> out);

}  // namespace sphaera::bench
