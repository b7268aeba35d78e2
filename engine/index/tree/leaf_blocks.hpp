#pragma once
/// \file The leaves of the index: leaf blocks of up to eight spheres, chosen by the surface-area heuristic,
/// so that similar neighbors share a block and a big sphere gets its own.
///
/// Binned SAH cuts down to 32 spheres, then, except in fast builds, a full SAH sweep cuts these
/// (sah_builder.hpp, ../decisions.md). One box per leaf block instead of one per sphere makes the index small
/// and quick to build.

#include <base/huge_array.hpp>
#include <index/boxes/frame.hpp>
#include <index/boxes/leaf_block.hpp>
#include <index/boxes/sphere_set.hpp>
#include <index/device/device.hpp>
#include <span>

namespace sphaera::index {

class LeafBlocks {
 public:
  LeafBlocks() = default;
  /// Leaf blocks with these ids; `refit` fills in the floats. Without `floats` (BuildQuality::compact) every
  /// sphere of a leaf block is a candidate.
  LeafBlocks(Device& device, base::HugeArray<LeafIds> ids, std::size_t spheres, bool floats, bool move);

  std::size_t size() const { return ids_.size(); }
  std::pmr::memory_resource* memory() const { return ids_.memory(); }  ///< null: the system's
  std::size_t spheres() const { return spheres_; }
  /// As Bvh::each_array.
  template <class Visit, class... Blocks>
  static void each_array(const Visit& visit, Blocks&... blocks) {
    visit(blocks.ids_...), visit(blocks.floats_...), visit(blocks.velocities_...);
  }
  void set_opened(std::size_t spheres) { spheres_ = spheres; }  ///< as Bvh::set_opened
  const LeafIds& ids(std::size_t leaf) const { return ids_.span()[leaf]; }
  /// Null without floats.
  const LeafBlock* floats(std::size_t leaf) const {
    return floats_.size() == 0 ? nullptr : &floats_.span()[leaf];
  }
  SPHAERA_INLINE void prefetch_ids(std::size_t leaf) const { __builtin_prefetch(&ids_.span()[leaf]); }
  /// Precondition: the leaf blocks have floats.
  SPHAERA_INLINE void prefetch_floats(std::size_t leaf) const {
    const char* const floats = reinterpret_cast<const char*>(&floats_.span()[leaf]);
    __builtin_prefetch(floats), __builtin_prefetch(floats + 64);
  }
  SPHAERA_INLINE void prefetch(std::size_t leaf) const {
    if (floats_.size() > 0) prefetch_floats(leaf);
    prefetch_ids(leaf);
  }
  /// Null if the spheres are at rest, or without floats.
  const LeafVelocities* velocities(std::size_t leaf) const {
    return velocities_.size() == 0 ? nullptr : &velocities_.span()[leaf];
  }
  /// Recomputes the floats, if there are any, of leaf blocks whose spheres are new or have moved. Writes the
  /// inflated boxes of the volumes that the spheres sweep.
  void refit(std::span<const std::uint32_t> leaves, const SphereSet& sphere_set, const Frame& frame,
             LocalBox* boxes);

  /// What `copy` copies: `ids` if the leaf blocks may hold other spheres, `floats` if the floats may differ.
  /// `copy` throws std::bad_alloc.
  struct Copied {
    bool ids, floats;
  };
  void copy(const LeafBlocks& from, Copied copied);
  /// Copies one leaf block of `from`, which has as many leaf blocks as this object.
  void copy_leaf(const LeafBlocks& from, std::size_t leaf);

  /// Replaces ids by those of equal spheres.
  LeafIds& equal_ids(std::size_t leaf) { return ids_.data()[leaf]; }

  /// Number of spheres in a leaf block.
  std::uint32_t count(std::size_t leaf) const;
  /// `add` puts a sphere into a leaf block that has an empty lane; `remove` takes out one that it holds. Call
  /// `refit` afterwards.
  void add(std::size_t leaf, std::uint32_t id);
  void remove(std::size_t leaf, std::uint32_t id);

 private:
  std::size_t spheres_ = 0;
  base::HugeArray<LeafIds> ids_;
  base::HugeArray<LeafBlock> floats_;
  base::HugeArray<LeafVelocities> velocities_;
};

}  // namespace sphaera::index
