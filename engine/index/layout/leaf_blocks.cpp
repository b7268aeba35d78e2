#include <exact/numbers/dispatch.hpp>
#include <index/layout/leaf_block_fit.hpp>
#include <index/layout/leaf_blocks.hpp>
#include <utility>

namespace sphaera::index {
namespace {

LeafVelocities velocities_of(const LeafIds& ids, std::span<const Vec3> velocities, const Frame& frame) {
  LeafVelocities floats;
  for (std::uint32_t lane = 0; lane < leaf_block_size && ids[lane] != no_sphere; ++lane)
    floats.set(lane, frame.scale() * velocities[ids[lane]]);
  return floats;
}

}  // namespace

LeafBlocks::LeafBlocks(Device& device, base::HugeArray<LeafIds> ids, std::size_t spheres, bool floats,
                       bool move)
    : spheres_(spheres), ids_(std::move(ids)) {
  if (!floats) return;
  device.reserve(size() * sizeof(LeafBlock));
  floats_ = base::HugeArray<LeafBlock>(size());
  if (!move) return;
  device.reserve(size() * sizeof(LeafVelocities));
  velocities_ = base::HugeArray<LeafVelocities>(size());
}

LocalBox LeafBlocks::refit(std::size_t leaf, const SphereSet& sphere_set, const Frame& frame) {
  LocalBox box;
  exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA {
    LeafBlockFit fit(frame);
    const LeafIds& members = ids(leaf);
    for (std::uint32_t lane = 0; lane < leaf_block_size && members[lane] != no_sphere; ++lane) {
      const std::uint32_t id = members[lane];
      if (sphere_set.move()) {
        fit.add(lane, sphere_set.spheres[id], sphere_set.from * sphere_set.velocities[id],
                sphere_set.to * sphere_set.velocities[id]);
      } else {
        fit.add(lane, sphere_set.spheres[id]);
      }
    }
    if (floats_.size() > 0) fit.write(floats_.data()[leaf]);
    box = fit.box();
  });
  if (velocities_.size() > 0)
    velocities_.data()[leaf] = velocities_of(ids(leaf), sphere_set.velocities, frame);
  return box;
}

}  // namespace sphaera::index
