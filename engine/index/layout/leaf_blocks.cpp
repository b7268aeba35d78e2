#include <algorithm>
#include <base/changed_items.hpp>
#include <exact/numbers/dispatch.hpp>
#include <index/layout/leaf_block_fit.hpp>
#include <index/layout/leaf_blocks.hpp>
#include <utility>

namespace sphaera::index {
namespace {

constexpr std::size_t prefetch_distance = 2;  ///< leaf blocks

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

LocalBox LeafBlocks::refit(std::size_t leaf, const SphereSet& sphere_set, const Frame& frame) {
  LocalBox box;
  exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA {
    box = sphere_set.move() ? fit_moving(leaf, sphere_set, frame) : fit_resting(leaf, sphere_set, frame);
  });
  return box;
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

SPHAERA_INLINE LocalBox LeafBlocks::fit_resting(std::size_t leaf, const SphereSet& sphere_set,
                                                const Frame& frame) {
  LeafBlockFit fit(frame);
  const LeafIds& members = ids(leaf);
  for (std::uint32_t lane = 0; lane < leaf_block_size; ++lane) {
    const std::uint32_t id = members[lane];
    if (id == no_sphere) {
      fit.leave_empty(lane);
    } else {
      fit.add(lane, sphere_set.spheres[id]);
    }
  }
  if (floats_.size() > 0) fit.write(floats_.data()[leaf]);
  return fit.box();
}

/// Ids scatter the spheres of a block in memory: two arrays are read, so waiting costs twice.
SPHAERA_INLINE void LeafBlocks::prefetch(std::size_t leaf, const SphereSet& sphere_set) const {
  if (leaf >= size()) return;
  for (const std::uint32_t id : ids(leaf)) {
    if (id == no_sphere) return;
    __builtin_prefetch(&sphere_set.spheres[id]);
    __builtin_prefetch(&sphere_set.velocities[id]);
  }
}

SPHAERA_INLINE LocalBox LeafBlocks::fit_moving(std::size_t leaf, const SphereSet& sphere_set,
                                               const Frame& frame) {
  LeafBlockFit fit(frame);
  LeafVelocityFit velocities(frame);
  prefetch(leaf + prefetch_distance, sphere_set);
  const LeafIds& members = ids(leaf);
  for (std::uint32_t lane = 0; lane < leaf_block_size; ++lane) {
    const std::uint32_t id = members[lane];
    if (id == no_sphere) {
      fit.leave_empty(lane), velocities.leave_empty(lane);
      continue;
    }
    const Vec3& velocity = sphere_set.velocities[id];
    fit.add(lane, sphere_set.spheres[id], Drift(velocity, sphere_set.from, sphere_set.to));
    velocities.add(lane, velocity);
  }
  if (floats_.size() > 0) {
    fit.write(floats_.data()[leaf]);
    velocities.write(velocities_.data()[leaf]);
  }
  return fit.box();
}

}  // namespace sphaera::index
