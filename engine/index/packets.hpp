#pragma once
/// \file The leaves of the index: packets of up to eight spheres, chosen by the surface-area heuristic, so
/// that alike neighbours share one and a big sphere stands alone.
///
/// Cuts by binned SAH down to 32 spheres, then a full SAH sweep of these (grouping.hpp). Against Embree's
/// Morton builder (rtcBuildBVH) down to 32, the same sweeps behind it, on scenes of 1e6, one thread: crowd,
/// belt, uniform were built in 0.43, 0.45, 0.45 instead of 0.52, 0.50, 0.47 s; packets' boxes have 0.17,
/// 0.65, 0.97 times the area; a crowd takes 33 instead of 40 bytes a sphere and is answered 1.1 to 1.2 times
/// as fast. Embree's binned SAH finds packets as good, in 0.72, 0.90, 0.90 s.
///
/// Why packets: one box a packet instead of one a sphere is what makes the index small and quick to build.

#include <index/bodies.hpp>
#include <index/device.hpp>
#include <index/huge_array.hpp>
#include <index/packet.hpp>
#include <span>
#include <vector>

namespace sphaera::index {

/// Spheres of one frame: all of a scene, or those listed.
struct Members {
  Bodies bodies;
  const std::vector<std::uint32_t>* ids = nullptr;  ///< null: all

  std::size_t size() const { return ids ? ids->size() : bodies.size(); }
  std::uint32_t id(std::size_t i) const { return ids ? (*ids)[i] : static_cast<std::uint32_t>(i); }
};

PacketVelocities velocities_of(const PacketIds& ids, std::span<const Vec3> velocities, const Frame& frame);

class Packets {
 public:
  /// In the calling arena. Without `floats` (BuildQuality::compact) every sphere of a packet is a candidate.
  Packets(Device& device, const Members& members, const Frame& frame, const BuildPhase& phase);

  std::size_t size() const { return ids_.size(); }
  std::size_t spheres() const { return spheres_; }
  const PacketIds& ids(std::size_t packet) const { return ids_.span()[packet]; }
  /// Null without floats.
  const PacketFloats* floats(std::size_t packet) const {
    return floats_.size() == 0 ? nullptr : &floats_.span()[packet];
  }
  /// Null where the spheres are at rest, or without floats.
  const PacketVelocities* velocities(std::size_t packet) const {
    return velocities_.size() == 0 ? nullptr : &velocities_.span()[packet];
  }
  /// Around the inflated boxes of what the packet's spheres sweep.
  LocalBox box(std::size_t packet, const Bodies& bodies, const Frame& frame) const;
  /// Puts the packets into an order: packet i is what packet order[i] was. Beside the others of a node a walk
  /// and a refit find them sooner (1e6 spheres were refitted in 25 ms instead of 33, one thread).
  void reorder(Device& device, std::span<const std::uint32_t> order);

  /// Makes the packet's floats anew, where they are kept, of spheres that have moved, in a new frame. Returns
  /// their box, inflated.
  LocalBox refit(std::size_t packet, const Bodies& bodies, const Frame& frame);
  /// The sum of r² of the packet's spheres, in scaled units: a measure of what they hide.
  float weight(std::size_t packet, std::span<const Sphere> spheres, const Frame& frame) const;

 private:
  /// The packet's floats, made where they are not kept.
  PacketFloats made_floats(std::size_t packet, std::span<const Sphere> spheres, const Frame& frame) const;

  std::size_t spheres_ = 0;
  HugeArray<PacketIds> ids_;
  HugeArray<PacketFloats> floats_;
  HugeArray<PacketVelocities> velocities_;
};

}  // namespace sphaera::index
