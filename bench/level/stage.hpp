#pragma once
/// \file An Embree scene with walls to which spheres are added.

#include <atomic>
#include <bench/level/contender.hpp>
#include <bench/level/walls.hpp>
#include <embree/embree_rays.hpp>

#include <sphaera/ray.hpp>

namespace sphaera::bench {

using embree_index::GeometryHandle, embree_index::SceneHandle, embree_index::RayContext;
using embree_index::init_context, embree_index::intersect1, embree_index::occluded1;

/// A device that counts the bytes it holds, and a scene on it.
class Stage {
 public:
  static constexpr unsigned walls_id = 0, people_id = 1;

  Stage();

  void add_walls(const Walls& walls);     ///< whose arrays are shared
  void add_people(RTCGeometry geometry);  ///< a committed one
  void commit();

  RTCDevice device() const { return device_.get(); }
  RTCScene scene() const { return scene_.get(); }
  double bytes() const { return static_cast<double>(bytes_.load()); }

 private:
  std::atomic<std::int64_t> bytes_{0};  // outlives the device, which reports to it
  index::DeviceHandle device_;
  SceneHandle scene_;
};

/// The float ray of the peers, with an empty hit; tnear down, tfar up.
RTCRayHit query_of(const Ray& ray);

/// Any-hit with Embree's own context.
void any_plainly(RTCScene scene, std::span<const Ray> rays, std::span<FirstOfBoth> out);

}  // namespace sphaera::bench
