#include <algorithm>
#include <index/grouping.hpp>
#include <index/packets.hpp>
#include <index/parallel.hpp>

namespace sphaera::index {
namespace {

HugeArray<GroupedBox> boxes_of(const Members& members, const Frame& frame) {
  HugeArray<GroupedBox> boxes(members.size());
  const double scale = frame.scale();
  const auto corner = [](const Vec3& v) {
    return std::array{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  };
  parallel_pieces(members.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Bounds swept = members.bodies.swept(members.id(i), frame.center());
      boxes.data()[i] = {corner(scale * swept.lower), members.id(i), corner(-scale * swept.upper), 0};
    }
  });
  return boxes;
}

/// The ids of each of n groups.
HugeArray<PacketIds> packed(std::span<const GroupedBox> boxes, std::size_t n) {
  HugeArray<PacketIds> ids(n);
  std::size_t packet = 0, lane = packet_size;
  for (const GroupedBox& box : boxes) {
    if (box.starts) {
      ids.data()[packet++].fill(no_sphere);
      lane = 0;
    }
    ids.data()[packet - 1][lane++] = box.id;
  }
  return ids;
}

PacketFloats floats_of(const PacketIds& ids, std::span<const Sphere> spheres, const Frame& frame) {
  PacketFloats floats;
  for (std::uint32_t lane = 0; lane < packet_size && ids[lane] != no_sphere; ++lane)
    floats.set(lane, frame.ball(spheres[ids[lane]]));
  return floats;
}

template <class Item>
HugeArray<Item> reordered(Device& device, std::span<const Item> items, std::span<const std::uint32_t> order) {
  const Reservation reserved(device, items.size_bytes() + order.size_bytes());
  HugeArray<Item> copy(items.size());
  parallel_pieces(items.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) copy.data()[i] = items[order[i]];
  });
  return copy;
}

}  // namespace

PacketVelocities velocities_of(const PacketIds& ids, std::span<const Vec3> velocities, const Frame& frame) {
  PacketVelocities floats;
  for (std::uint32_t lane = 0; lane < packet_size && ids[lane] != no_sphere; ++lane)
    floats.set(lane, frame.scale() * velocities[ids[lane]]);
  return floats;
}

void Packets::reorder(Device& device, std::span<const std::uint32_t> order) {
  ids_ = reordered(device, ids_.span(), order);
  floats_ = reordered(device, floats_.span(), order);
  velocities_ = reordered(device, velocities_.span(), order);
}

Packets::Packets(Device& device, const Members& members, const Frame& frame, const BuildPhase& phase)
    : spheres_(members.size()) {
  if (spheres_ == 0) return;
  std::size_t packets = 0;
  {
    const Reservation reserved(device, members.size() * sizeof(GroupedBox));
    HugeArray<GroupedBox> boxes = boxes_of(members, frame);
    packets = group(boxes.items(), phase);
    device.reserve(packets * sizeof(PacketIds));
    ids_ = packed(boxes.span(), packets);
  }
  if (phase.control->quality == BuildQuality::compact) return;
  device.reserve(packets * sizeof(PacketFloats));
  floats_ = HugeArray<PacketFloats>(packets);
  parallel_pieces(packets, 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      floats_.data()[i] = floats_of(ids(i), members.bodies.spheres, frame);
  });
  if (!members.bodies.move()) return;
  device.reserve(packets * sizeof(PacketVelocities));
  velocities_ = HugeArray<PacketVelocities>(packets);
  parallel_pieces(packets, 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      velocities_.data()[i] = velocities_of(ids(i), members.bodies.velocities, frame);
  });
}

PacketFloats Packets::made_floats(std::size_t packet, std::span<const Sphere> spheres,
                                  const Frame& frame) const {
  return floats_.size() > 0 ? floats_.span()[packet] : floats_of(ids(packet), spheres, frame);
}

float Packets::weight(std::size_t packet, std::span<const Sphere> spheres, const Frame& frame) const {
  const PacketFloats floats = made_floats(packet, spheres, frame);
  float sum = 0;
  for (std::uint32_t lane = 0; lane < packet_size && ids(packet)[lane] != no_sphere; ++lane)
    sum += floats.radius[lane] * floats.radius[lane];
  return sum;
}

/// From floats where there are any: they lie side by side. Their rounding, w on center and radius, comes out
/// of the inflation: 18w of 20w are left, 9.1w are needed (frame.hpp).
LocalBox Packets::box(std::size_t packet, const Bodies& bodies, const Frame& frame) const {
  const PacketFloats floats = made_floats(packet, bodies.spheres, frame);
  const double from = bodies.from * frame.scale(), to = bodies.to * frame.scale();
  std::array<double, 3> lower{infinity, infinity, infinity}, upper{-infinity, -infinity, -infinity};
  const std::array<float, packet_size>* axes[] = {&floats.x, &floats.y, &floats.z};
  for (std::uint32_t lane = 0; lane < packet_size && ids(packet)[lane] != no_sphere; ++lane) {
    const Vec3 velocity = bodies.move() ? bodies.velocities[ids(packet)[lane]] : Vec3{};
    for (int i = 0; i < 3; ++i) {
      const auto axis = static_cast<std::size_t>(i);
      const double c = (*axes[axis])[lane], r = floats.radius[lane], first = from * velocity[i],
                   last = to * velocity[i];
      lower[axis] = std::min(lower[axis], c + std::min(first, last) - r);
      upper[axis] = std::max(upper[axis], c + std::max(first, last) + r);
    }
  }
  return frame.inflated(lower, upper);
}

}  // namespace sphaera::index
