#pragma once
/// \file The leaves of the index: leaf blocks of up to eight spheres, chosen by the surface-area heuristic,
/// so that alike neighbours share one and a big sphere stands alone.
///
/// Cuts by binned SAH down to 32 spheres, then a full SAH sweep of these (sah_builder.hpp, decisions.md).
///
/// Why leaf blocks: one box a leaf block instead of one a sphere is what makes the index small and quick to
/// build.

#include <base/huge_array.hpp>
#include <index/build/device.hpp>
#include <index/frames/sphere_set.hpp>
#include <index/layout/leaf_block.hpp>
#include <span>

namespace sphaera::index {

class LeafBlocks {
 public:
  LeafBlocks() = default;
  /// Of these ids; floats are yet to be made (refit). Without `floats` (BuildQuality::compact) every sphere
  /// of a leaf block is a candidate.
  LeafBlocks(Device& device, base::HugeArray<LeafIds> ids, std::size_t spheres, bool floats, bool move);

  std::size_t size() const { return ids_.size(); }
  std::size_t spheres() const { return spheres_; }
  const LeafIds& ids(std::size_t leaf) const { return ids_.span()[leaf]; }
  /// Null without floats.
  const LeafBlock* floats(std::size_t leaf) const {
    return floats_.size() == 0 ? nullptr : &floats_.span()[leaf];
  }
  /// Null where the spheres are at rest, or without floats.
  const LeafVelocities* velocities(std::size_t leaf) const {
    return velocities_.size() == 0 ? nullptr : &velocities_.span()[leaf];
  }
  /// Makes the leaf block's floats, where they are kept, of spheres that are new or have moved. Returns the
  /// box of what they sweep, inflated.
  LocalBox refit(std::size_t leaf, const SphereSet& sphere_set, const Frame& frame);

 private:
  std::size_t spheres_ = 0;
  base::HugeArray<LeafIds> ids_;
  base::HugeArray<LeafBlock> floats_;
  base::HugeArray<LeafVelocities> velocities_;
};

}  // namespace sphaera::index
