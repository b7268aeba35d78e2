#include <algorithm>
#include <base/changed_items.hpp>
#include <exact/numbers/dispatch.hpp>
#include <index/boxes/leaf_block_fit.hpp>
#include <index/tree/bvh.hpp>
#include <index/tree/leaf_blocks.hpp>
#include <utility>

namespace sphaera::index {
namespace {

constexpr std::size_t prefetch_distance = 2;      ///< leaf blocks
constexpr std::size_t prefetched_from = 1 << 14;  ///< spheres: fewer stay in a core's cache

}  // namespace

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
  exact::with_arithmetic([&]<class Arithmetic>(Arithmetic) SPHAERA_INLINE_LAMBDA {
    for (std::size_t i = 0; i < leaves.size(); ++i)
      boxes[i] = sphere_set.move() ? fit_moving<Arithmetic>(leaves[i], sphere_set, frame)
                                   : fit_resting(leaves[i], sphere_set, frame);
  });
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

/// The spheres of a leaf block. Empty lanes repeat the first sphere: a branch on the lane count would be
/// mispredicted.
SPHAERA_INLINE void LeafBlocks::fill(LeafIds& members, std::size_t leaf) const {
  const LeafIds& ids = this->ids(leaf);
  for (std::uint32_t lane = 0; lane < leaf_block_size; ++lane)
    members[lane] = ids[lane] == no_sphere ? ids[0] : ids[lane];
}

LocalBox LeafBlocks::fit_none(std::size_t leaf) {
  if (floats_.size() > 0) floats_.data()[leaf] = {};
  if (velocities_.size() > 0) velocities_.data()[leaf] = {};
  return empty_box();
}

SPHAERA_INLINE LocalBox LeafBlocks::fit_resting(std::size_t leaf, const SphereSet& sphere_set,
                                                const Frame& frame) {
  LeafIds members;
  fill(members, leaf);
  if (members[0] == no_sphere) return fit_none(leaf);
  LeafBlockFit fit(frame);
  const Sphere* const spheres = sphere_set.spheres.data();
  for (std::uint32_t lane = 0; lane < leaf_block_size; ++lane) fit.set(lane, spheres[members[lane]]);
  if (floats_.size() > 0) fit.write(floats_.data()[leaf], ids(leaf));
  return fit.box();
}

/// The spheres of a leaf block are scattered in memory. Moving ones are read from two arrays, which would
/// cost two waits.
SPHAERA_INLINE void LeafBlocks::prefetch(std::size_t leaf, const SphereSet& sphere_set) const {
  if (leaf >= size()) return;
  LeafIds members;
  fill(members, leaf);
  if (members[0] == no_sphere) return;
  for (const std::uint32_t id : members) {
    __builtin_prefetch(sphere_set.spheres.data() + id);
    __builtin_prefetch(sphere_set.velocities.data() + id);
  }
}

template <class Arithmetic>
SPHAERA_INLINE LocalBox LeafBlocks::fit_moving(std::size_t leaf, const SphereSet& sphere_set,
                                               const Frame& frame) {
  if (sphere_set.size() > prefetched_from) prefetch(leaf + prefetch_distance, sphere_set);
  LeafIds members;
  fill(members, leaf);
  if (members[0] == no_sphere) return fit_none(leaf);
  LeafBlockFit fit(frame);
  LeafVelocityFit velocities;
  const auto each = [&](const auto& set) SPHAERA_INLINE_LAMBDA {
    for (std::uint32_t lane = 0; lane < leaf_block_size; ++lane) {
      Lanes v;
      load<Arithmetic>(v, sphere_set.velocities.data()[members[lane]]);
      v *= frame.scale();
      set(lane, sphere_set.spheres.data()[members[lane]], v);
      velocities.set(lane, v);
    }
  };
  const double from = sphere_set.from, to = sphere_set.to;
  if (sphere_set.begins_now()) {
    each([&](std::uint32_t lane, const Sphere& sphere, const Lanes& v)
             SPHAERA_INLINE_LAMBDA { fit.set(lane, sphere, to * v); });
  } else {
    each([&](std::uint32_t lane, const Sphere& sphere, const Lanes& v)
             SPHAERA_INLINE_LAMBDA { fit.set(lane, sphere, from * v, to * v); });
  }
  if (floats_.size() > 0) {
    fit.write(floats_.data()[leaf], ids(leaf));
    velocities.write(velocities_.data()[leaf]);
  }
  return fit.box();
}

}  // namespace sphaera::index
