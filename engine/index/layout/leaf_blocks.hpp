#pragma once
/// \file The leaves of the index: packets of up to eight spheres, chosen by the surface-area heuristic, so
/// that alike neighbours share one and a big sphere stands alone.
///
/// Cuts by binned SAH down to 32 spheres, then a full SAH sweep of these (sah_builder.hpp, decisions.md).
///
/// Why packets: one box a packet instead of one a sphere is what makes the index small and quick to build.

#include <base/huge_array.hpp>
#include <index/build/device.hpp>
#include <index/frames/sphere_set.hpp>
#include <index/layout/leaf_block.hpp>
#include <span>

namespace sphaera::index {

class Packets {
 public:
  Packets() = default;
  /// Of these ids; floats are yet to be made (refit). Without `floats` (BuildQuality::compact) every sphere
  /// of a packet is a candidate.
  Packets(Device& device, base::HugeArray<PacketIds> ids, std::size_t spheres, bool floats, bool move);

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
  base::HugeArray<PacketIds> ids_;
  base::HugeArray<PacketFloats> floats_;
  base::HugeArray<PacketVelocities> velocities_;
};

}  // namespace sphaera::index
