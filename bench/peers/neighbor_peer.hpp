#pragma once
/// \file Peers that find spheres near points: nanoflann's k-d tree, and Embree's point query over user
/// geometry.

#include <bench/measure/neighbor_scenes.hpp>
#include <memory>
#include <span>
#include <sphaera/hit.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::bench {

/// Answers run on one thread. The spheres have equal radii and must outlive the peer.
class NeighborPeer {
 public:
  virtual ~NeighborPeer() = default;

  /// As Scene::nearest; the order of distances that are equal up to rounding may differ.
  virtual void nearest(std::span<const Vec3> points, std::size_t k, std::span<Neighbor> out) const = 0;
  /// As Scene::within, in no particular order.
  virtual void within(std::span<const Ball> balls, IdLists& lists) const = 0;
};

/// nanoflann's k-d tree over the centers in double, as fast as we know how to ask it: centers in Morton
/// order, leaves of 40, and the points of a batch sorted by Morton codes, which counts.
std::unique_ptr<NeighborPeer> make_kd_tree(std::span<const Sphere> spheres);
/// rtcPointQuery: one primitive a sphere, bounds in float, distances in double in the callback.
std::unique_ptr<NeighborPeer> make_point_query(std::span<const Sphere> spheres);

}  // namespace sphaera::bench
