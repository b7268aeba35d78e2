#include <algorithm>
#include <index/builder.hpp>
#include <index/packets.hpp>
#include <index/parallel.hpp>
#include <index/sweep.hpp>

namespace sphaera::index {
namespace {

/// In an order of ids: here a packet starts. Ids are below 2^32 − 1, so the flag has a byte of its own.
struct Order {
  HugeArray<std::uint32_t> ids;
  HugeArray<std::uint8_t> starts;

  explicit Order(std::size_t n) : ids(n), starts(n) {}
  static std::uint64_t bytes(std::size_t n) { return n * (sizeof(std::uint32_t) + sizeof(std::uint8_t)); }
};

/// The state of a run of rtcBuildBVH. Its nodes are of no interest, only its leaves.
struct Grouping {
  BuildPhase phase;
  Order* order;
  std::atomic<std::size_t> next{0};  ///< place in the order
  std::atomic<std::size_t> packets{0};

  bool fast() const { return phase.control->quality == BuildQuality::fast; }
  /// Spheres in a leaf of the builder: fast builds take it for a packet as it is.
  std::uint32_t leaf_size() const { return fast() ? packet_size : most_to_sweep; }

  void* on_leaf(std::span<const RTCBuildPrimitive> leaf) {
    const std::size_t n = leaf.size(), place = next.fetch_add(n, std::memory_order_relaxed);
    const std::span<std::uint32_t> ids = order->ids.items().subspan(place, n);
    const std::span<std::uint8_t> starts = order->starts.items().subspan(place, n);
    if (fast()) {
      for (std::size_t i = 0; i < n; ++i) ids[i] = leaf[i].primID, starts[i] = i == 0;
    } else {
      divide(leaf, ids, starts);
    }
    packets.fetch_add(static_cast<std::size_t>(std::ranges::count(starts, 1)), std::memory_order_relaxed);
    return this;
  }
  void divide(std::span<const RTCBuildPrimitive> leaf, std::span<std::uint32_t> ids,
              std::span<std::uint8_t> starts) const {
    std::array<SweepBox, most_to_sweep> boxes;
    for (std::size_t i = 0; i < leaf.size(); ++i) {
      const RTCBuildPrimitive& p = leaf[i];
      boxes[i] = {{p.lower_x, p.lower_y, p.lower_z}, {p.upper_x, p.upper_y, p.upper_z}, p.primID};
    }
    const bool compact = phase.control->quality == BuildQuality::compact;
    sweep(std::span(boxes).first(leaf.size()), compact ? Fill::full : Fill::best, ids, starts);
  }
  void* on_node(RTCThreadLocalAllocator) { return this; }
  void on_children(void*, std::span<void* const>) {}
  void on_bounds(void*, std::span<const RTCBounds* const>) {}
};

HugeArray<RTCBuildPrimitive> primitives_of(const Members& members, const Frame& frame) {
  HugeArray<RTCBuildPrimitive> primitives(members.size());
  parallel_pieces(members.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const LocalBox b = frame.box(members.bodies, members.id(i));
      primitives.data()[i] = {b.lower[0], b.lower[1], b.lower[2], 0,
                              b.upper[0], b.upper[1], b.upper[2], members.id(i)};
    }
  });
  return primitives;
}

/// Groups the members; returns the number of packets.
std::size_t group(Device& device, const Members& members, const Frame& frame, const BuildPhase& phase,
                  Order& order) {
  const Reservation reserved(device, members.size() * sizeof(RTCBuildPrimitive));
  HugeArray<RTCBuildPrimitive> primitives = primitives_of(members, frame);
  const BvhHandle bvh(rtcNewBVH(device.get()));
  device.check();
  Grouping grouping{phase, &order};
  RTCBuildArguments a = rtcDefaultBuildArguments();
  a.buildQuality = RTC_BUILD_QUALITY_LOW;
  a.maxDepth = 96;  // binary: 27 levels for 1e8 spheres and room for very uneven scenes
  a.minLeafSize = a.maxLeafSize = grouping.leaf_size();
  a.bvh = bvh.get();
  a.primitives = primitives.data();
  a.primitiveCount = a.primitiveArrayCapacity = members.size();
  Builder<Grouping>::run(device, a, grouping);
  return grouping.packets;
}

/// The ids of each packet, in the builder's order.
HugeArray<PacketIds> packed(const Order& order, std::size_t packets) {
  HugeArray<PacketIds> ids(packets);
  std::size_t packet = 0, lane = packet_size;
  for (std::size_t i = 0; i < order.ids.size(); ++i) {
    if (order.starts.span()[i]) {
      ids.data()[packet++].fill(no_sphere);
      lane = 0;
    }
    ids.data()[packet - 1][lane++] = order.ids.span()[i];
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
    const Reservation reserved(device, Order::bytes(members.size()));
    Order order(members.size());
    packets = group(device, members, frame, phase, order);
    device.reserve(packets * sizeof(PacketIds));
    ids_ = packed(order, packets);
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
