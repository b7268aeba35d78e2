#include <exact/numbers/dispatch.hpp>
#include <index/layout/leaf_block_fit.hpp>
#include <index/layout/leaf_blocks.hpp>
#include <utility>

namespace sphaera::index {
namespace {

PacketVelocities velocities_of(const PacketIds& ids, std::span<const Vec3> velocities, const Frame& frame) {
  PacketVelocities floats;
  for (std::uint32_t lane = 0; lane < packet_size && ids[lane] != no_sphere; ++lane)
    floats.set(lane, frame.scale() * velocities[ids[lane]]);
  return floats;
}

}  // namespace

Packets::Packets(Device& device, base::HugeArray<PacketIds> ids, std::size_t spheres, bool floats, bool move)
    : spheres_(spheres), ids_(std::move(ids)) {
  if (!floats) return;
  device.reserve(size() * sizeof(PacketFloats));
  floats_ = base::HugeArray<PacketFloats>(size());
  if (!move) return;
  device.reserve(size() * sizeof(PacketVelocities));
  velocities_ = base::HugeArray<PacketVelocities>(size());
}

LocalBox Packets::refit(std::size_t packet, const Bodies& bodies, const Frame& frame) {
  LocalBox box;
  exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA {
    PacketFit fit(frame);
    const PacketIds& members = ids(packet);
    for (std::uint32_t lane = 0; lane < packet_size && members[lane] != no_sphere; ++lane) {
      const std::uint32_t id = members[lane];
      if (bodies.move()) {
        fit.add(lane, bodies.spheres[id], bodies.from * bodies.velocities[id],
                bodies.to * bodies.velocities[id]);
      } else {
        fit.add(lane, bodies.spheres[id]);
      }
    }
    if (floats_.size() > 0) fit.write(floats_.data()[packet]);
    box = fit.box();
  });
  if (velocities_.size() > 0)
    velocities_.data()[packet] = velocities_of(ids(packet), bodies.velocities, frame);
  return box;
}

}  // namespace sphaera::index
