#pragma once
/// \file An Embree scene with walls to which spheres are added.

#include <bench/bridge/contender.hpp>
#include <bench/bridge/walls.hpp>
#include <bench/peers/embree_peer.hpp>
#include <sphaera/ray.hpp>

namespace sphaera::bench {

/// A device that counts the bytes it holds, and a scene on it.
class EmbreeLevel {
 public:
  static constexpr unsigned walls_id = 0, people_id = 1;

  EmbreeLevel();

  void add_walls(const Walls& walls);     ///< whose arrays are shared
  void add_people(RTCGeometry geometry);  ///< a committed one
  void commit();

  RTCDevice device() const { return device_.get(); }
  RTCScene scene() const { return scene_.get(); }
  double bytes() const { return device_.bytes(); }

 private:
  CountingDevice device_;
  SceneHandle scene_;
};

/// The float ray of the peers, with an empty hit.
RTCRayHit query_of(const Ray& ray);

/// First hit and any-hit with Embree's own context.
void first_plainly(RTCScene scene, std::span<const Ray> rays, std::span<FirstOfBoth> out);
void any_plainly(RTCScene scene, std::span<const Ray> rays, std::span<FirstOfBoth> out);

}  // namespace sphaera::bench
