#pragma once
/// \file The leaves of the index: packets of up to eight spheres, chosen by the surface-area heuristic, so
/// that alike neighbours share one and a big sphere stands alone.
///
/// Cuts by binned SAH down to 32 spheres, then a full SAH sweep of these (grouping.hpp). Embree's Morton
/// builder (rtcBuildBVH) down to 32 takes as long as these cuts, with packets' boxes of 6, 1.5 and 1.03 times
/// the area on crowd, belt and uniform scenes of 1e6; its binned SAH finds packets as good in 1.7 to 2 times
/// the time.
///
/// Why packets: one box a packet instead of one a sphere is what makes the index small and quick to build.

#include <index/bodies.hpp>
#include <index/device.hpp>
#include <index/huge_array.hpp>
#include <index/packet.hpp>
#include <span>

namespace sphaera::index {

class Packets {
 public:
  Packets() = default;
  /// Of these ids; floats are yet to be made (refit). Without `floats` (BuildQuality::compact) every sphere
  /// of a packet is a candidate.
  Packets(Device& device, HugeArray<PacketIds> ids, std::size_t spheres, bool floats, bool move);

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
  /// Makes the packet's floats, where they are kept, of spheres that are new or have moved. Returns the box
  /// of what they sweep, inflated.
  LocalBox refit(std::size_t packet, const Bodies& bodies, const Frame& frame);

 private:
  std::size_t spheres_ = 0;
  HugeArray<PacketIds> ids_;
  HugeArray<PacketFloats> floats_;
  HugeArray<PacketVelocities> velocities_;
};

}  // namespace sphaera::index
