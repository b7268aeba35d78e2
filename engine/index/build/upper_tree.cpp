#include <base/huge_array.hpp>
#include <index/build/embree_builder.hpp>
#include <index/build/upper_tree.hpp>
#include <new>

namespace sphaera::index {
namespace {

/// A part that Embree joins, in Embree's memory.
struct Joint : Part {
  Branch branch;
};

/// What rtcBuildBVH hands around: parts, those given or joints.
struct Joining {
  std::span<const Part> parts;
  BuildPhase phase;

  void* on_node(RTCThreadLocalAllocator allocator) const {
    Part* const joint = new (rtcThreadLocalAlloc(allocator, sizeof(Joint), alignof(Joint))) Joint;
    base::release(joint);
    return joint;
  }
  void* on_leaf(std::span<const RTCBuildPrimitive> primitives) const {
    return const_cast<Part*>(&parts[primitives[0].primID]);
  }
  void on_children(void* node, std::span<void* const> children) const {
    const base::Turn turn(node);
    for (const void* child : children) base::acquire(child);
    auto& joint = static_cast<Joint&>(*static_cast<Part*>(node));
    static_cast<Part&>(joint) =
        join(*static_cast<const Part*>(children[0]), *static_cast<const Part*>(children[1]), joint.branch);
  }
};

base::HugeArray<RTCBuildPrimitive> primitives_of(std::span<const Part> parts) {
  base::HugeArray<RTCBuildPrimitive> primitives(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Hull::Lanes lower = parts[i].hull.lower, upper = -parts[i].hull.upper;
    primitives.data()[i] = {lower[0], lower[1], lower[2], 0,
                            upper[0], upper[1], upper[2], static_cast<unsigned>(i)};
  }
  return primitives;
}

/// Half of them beside the other half, and so on. Takes one branch fewer than there are parts.
Part joined_by_halves(std::span<const Part> parts, Branch* branches) {
  if (parts.size() == 1) return parts[0];
  const std::size_t half = parts.size() / 2;
  const Part left = joined_by_halves(parts.first(half), branches + 1),
             right = joined_by_halves(parts.subspan(half), branches + half);
  return join(left, right, *branches);
}

}  // namespace

UpperTree::UpperTree(Device& device, std::span<const Part> parts, const BuildPhase& phase) : root_(parts[0]) {
  if (parts.size() == 1) return;
  try {
    build(device, parts, phase);
  } catch (const TooDeep&) {
    bvh_.reset();
    reserved_ = std::make_unique<Reservation>(device, (parts.size() - 1) * sizeof(Branch));
    halves_ = base::HugeArray<Branch>(parts.size() - 1);
    root_ = joined_by_halves(parts, halves_.data());
  }
}

void UpperTree::build(Device& device, std::span<const Part> parts, const BuildPhase& phase) {
  const Reservation reserved(device, parts.size() * sizeof(RTCBuildPrimitive));
  base::HugeArray<RTCBuildPrimitive> primitives = primitives_of(parts);
  bvh_.reset(rtcNewBVH(device.get()));
  device.check();
  Joining joining{parts, phase};
  RTCBuildArguments a = rtcDefaultBuildArguments();
  a.maxBranchingFactor = 2;
  a.maxDepth = Bvh::max_depth_of_upper_tree;
  a.sahBlockSize = 1;
  a.minLeafSize = a.maxLeafSize = 1;
  a.bvh = bvh_.get();
  a.primitives = primitives.data();
  a.primitiveCount = a.primitiveArrayCapacity = parts.size();
  root_ = *static_cast<const Part*>(Builder<Joining>::run(device, a, joining));
}

}  // namespace sphaera::index
