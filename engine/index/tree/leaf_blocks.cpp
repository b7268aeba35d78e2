#include <algorithm>
#include <base/changed_items.hpp>
#include <exact/numbers/instruction_sets.hpp>
#include <index/boxes/leaf_block_fit.hpp>
#include <index/tree/bvh.hpp>
#include <index/tree/leaf_blocks.hpp>
#include <utility>

SPHAERA_SET_BEGIN
namespace sphaera::index::inline SPHAERA_SET {
namespace {

constexpr std::size_t prefetch_distance = 2;      ///< leaf blocks
constexpr std::size_t prefetched_from = 1 << 14;  ///< spheres: fewer stay in a core's cache

/// The leaf blocks of a refit.
class LeafRefit {
 public:
  LeafRefit(std::span<const LeafIds> ids, LeafBlock* floats, LeafVelocities* velocities,
            const SphereSet& sphere_set, const Frame& frame)
      : ids_(ids), floats_(floats), velocities_(velocities), sphere_set_(sphere_set), frame_(frame) {}

  SPHAERA_INLINE LocalBox fit(std::size_t leaf) const {
    return sphere_set_.move() ? fit_moving(leaf) : fit_resting(leaf);
  }

 private:
  /// The spheres of a leaf block. Empty lanes repeat the first sphere: a branch on the lane count would be
  /// mispredicted.
  SPHAERA_INLINE void fill(LeafIds& members, std::size_t leaf) const {
    const LeafIds& ids = ids_[leaf];
    for (std::uint32_t lane = 0; lane < leaf_block_size; ++lane)
      members[lane] = ids[lane] == no_sphere ? ids[0] : ids[lane];
  }

  LocalBox fit_none(std::size_t leaf) const {
    if (floats_) floats_[leaf] = {};
    if (velocities_) velocities_[leaf] = {};
    return empty_box();
  }

  SPHAERA_INLINE LocalBox fit_resting(std::size_t leaf) const {
    LeafIds members;
    fill(members, leaf);
    if (members[0] == no_sphere) return fit_none(leaf);
    LeafBlockFit fit(frame_);
    const Sphere* const spheres = sphere_set_.spheres.data();
    for (std::uint32_t lane = 0; lane < leaf_block_size; ++lane) fit.set(lane, spheres[members[lane]]);
    if (floats_) fit.write(floats_[leaf], ids_[leaf]);
    return fit.box();
  }

  /// The spheres of a leaf block are scattered in memory. Moving ones are read from two arrays, which would
  /// cost two waits.
  SPHAERA_INLINE void prefetch(std::size_t leaf) const {
    if (leaf >= ids_.size()) return;
    LeafIds members;
    fill(members, leaf);
    if (members[0] == no_sphere) return;
    for (const std::uint32_t id : members) {
      __builtin_prefetch(sphere_set_.spheres.data() + id);
      __builtin_prefetch(sphere_set_.velocities.data() + id);
    }
  }

  SPHAERA_INLINE LocalBox fit_moving(std::size_t leaf) const {
    if (sphere_set_.size() > prefetched_from) prefetch(leaf + prefetch_distance);
    LeafIds members;
    fill(members, leaf);
    if (members[0] == no_sphere) return fit_none(leaf);
    LeafBlockFit fit(frame_);
    LeafVelocityFit velocities;
    const auto each = [&](const auto& set) SPHAERA_INLINE_LAMBDA {
      for (std::uint32_t lane = 0; lane < leaf_block_size; ++lane) {
        Lanes v;
        load<exact::Arithmetic>(v, sphere_set_.velocities.data()[members[lane]]);
        v *= frame_.scale();
        set(lane, sphere_set_.spheres.data()[members[lane]], v);
        velocities.set(lane, v);
      }
    };
    const double from = sphere_set_.from, to = sphere_set_.to;
    if (sphere_set_.begins_now()) {
      each([&](std::uint32_t lane, const Sphere& sphere, const Lanes& v)
               SPHAERA_INLINE_LAMBDA { fit.set(lane, sphere, to * v); });
    } else {
      each([&](std::uint32_t lane, const Sphere& sphere, const Lanes& v)
               SPHAERA_INLINE_LAMBDA { fit.set(lane, sphere, from * v, to * v); });
    }
    if (floats_) {
      fit.write(floats_[leaf], ids_[leaf]);
      velocities.write(velocities_[leaf]);
    }
    return fit.box();
  }

  std::span<const LeafIds> ids_;
  LeafBlock* floats_;
  LeafVelocities* velocities_;
  const SphereSet& sphere_set_;
  const Frame& frame_;
};

}  // namespace

/// LeafBlocks::refit. `floats`, `velocities`: null: none.
void refit_leaves(std::span<const std::uint32_t> leaves, std::span<const LeafIds> ids, LeafBlock* floats,
                  LeafVelocities* velocities, const SphereSet& sphere_set, const Frame& frame,
                  LocalBox* boxes) {
  const LeafRefit refit(ids, floats, velocities, sphere_set, frame);
  for (std::size_t i = 0; i < leaves.size(); ++i) boxes[i] = refit.fit(leaves[i]);
}

}  // namespace sphaera::index::inline SPHAERA_SET
SPHAERA_SET_END

#if SPHAERA_ONCE
namespace sphaera::index {

SPHAERA_IN_BOTH_SETS(void refit_leaves(std::span<const std::uint32_t> leaves, std::span<const LeafIds> ids,
                                       LeafBlock* floats, LeafVelocities* velocities,
                                       const SphereSet& sphere_set, const Frame& frame, LocalBox* boxes);)

LeafBlocks::LeafBlocks(Device& device, base::HugeArray<LeafIds> ids, std::size_t spheres, bool floats,
                       bool move)
    : spheres_(spheres), ids_(std::move(ids)) {
  if (!floats) return;
  device.reserve(size() * sizeof(LeafBlock));
  floats_ = base::HugeArray<LeafBlock>(size(), device.memory());
  if (!move) return;
  device.reserve(size() * sizeof(LeafVelocities));
  velocities_ = base::HugeArray<LeafVelocities>(size(), device.memory());
}

void LeafBlocks::refit(std::span<const std::uint32_t> leaves, const SphereSet& sphere_set, const Frame& frame,
                       LocalBox* boxes) {
  LeafBlock* const floats = floats_.size() > 0 ? floats_.data() : nullptr;
  LeafVelocities* const velocities = velocities_.size() > 0 ? velocities_.data() : nullptr;
  SPHAERA_CHOSEN(refit_leaves(leaves, ids_.span(), floats, velocities, sphere_set, frame, boxes));
}

void LeafBlocks::copy(const LeafBlocks& from, Copied copied) {
  spheres_ = from.spheres_;
  if (copied.ids) base::copy(ids_, from.ids_);
  if (!copied.floats) {
    base::resize_like(floats_, from.floats_), base::resize_like(velocities_, from.velocities_);
    return;
  }
  base::copy(floats_, from.floats_), base::copy(velocities_, from.velocities_);
}

void LeafBlocks::copy_leaf(const LeafBlocks& from, std::size_t leaf) {
  ids_.data()[leaf] = from.ids(leaf);
  if (floats_.size() > 0) floats_.data()[leaf] = from.floats_.span()[leaf];
  if (velocities_.size() > 0) velocities_.data()[leaf] = from.velocities_.span()[leaf];
}

std::uint32_t LeafBlocks::count(std::size_t leaf) const {
  const LeafIds& members = ids(leaf);
  return static_cast<std::uint32_t>(std::ranges::find(members, no_sphere) - members.begin());
}

void LeafBlocks::add(std::size_t leaf, std::uint32_t id) {
  ids_.data()[leaf][count(leaf)] = id;
  ++spheres_;
}

void LeafBlocks::remove(std::size_t leaf, std::uint32_t id) {
  LeafIds& members = ids_.data()[leaf];
  const auto last = members.begin() + count(leaf) - 1;
  *std::ranges::find(members, id) = *last;
  *last = no_sphere;
  --spheres_;
}

}  // namespace sphaera::index
#endif
