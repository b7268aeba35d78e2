#include <base/huge_array.hpp>
#include <index/builder/embree_builder.hpp>
#include <index/builder/upper_tree.hpp>
#include <new>

namespace sphaera::index {
namespace {

/// Two subtrees joined by Embree, in Embree's memory.
struct Joint : Subtree {
  BinaryNode binary_node;
};

/// The callbacks' state. Nodes are pointers to Subtree: the given subtrees or joints.
struct Joining {
  std::span<const Subtree> subtrees;
  ProgressRange progress;

  void* on_node(RTCThreadLocalAllocator allocator) const {
    void* const memory = rtcThreadLocalAlloc(allocator, sizeof(Joint), alignof(Joint));
    if (!memory) return nullptr;
    Subtree* const joint = new (memory) Joint;
    base::release(joint);
    return joint;
  }
  void* on_leaf(std::span<const RTCBuildPrimitive> primitives) const {
    return const_cast<Subtree*>(&subtrees[primitives[0].primID]);
  }
  void on_children(void* node, std::span<void* const> children) const {
    const base::OrderedAccess turn(node);
    for (const void* child : children) base::acquire(child);
    auto& joint = static_cast<Joint&>(*static_cast<Subtree*>(node));
    static_cast<Subtree&>(joint) = join(*static_cast<const Subtree*>(children[0]),
                                        *static_cast<const Subtree*>(children[1]), joint.binary_node);
  }
};

base::HugeArray<RTCBuildPrimitive> primitives_of(std::span<const Subtree> subtrees) {
  base::HugeArray<RTCBuildPrimitive> primitives(subtrees.size());
  for (std::size_t i = 0; i < subtrees.size(); ++i) {
    const Aabb::Lanes lower = subtrees[i].aabb.lower, upper = -subtrees[i].aabb.negated_upper;
    primitives.data()[i] = {lower[0], lower[1], lower[2], 0,
                            upper[0], upper[1], upper[2], static_cast<unsigned>(i)};
  }
  return primitives;
}

/// Joins one half of the subtrees with the other half, recursively. Needs one binary node fewer than there
/// are subtrees.
Subtree joined_by_halves(std::span<const Subtree> subtrees, BinaryNode* binary_nodes) {
  if (subtrees.size() == 1) return subtrees[0];
  const std::size_t half = subtrees.size() / 2;
  const Subtree left = joined_by_halves(subtrees.first(half), binary_nodes + 1),
                right = joined_by_halves(subtrees.subspan(half), binary_nodes + half);
  return join(left, right, *binary_nodes);
}

}  // namespace

UpperTree::UpperTree(Device& device, std::span<const Subtree> subtrees, const ProgressRange& progress)
    : root_(subtrees[0]) {
  if (subtrees.size() == 1) return;
  try {
    build(device, subtrees, progress);
  } catch (const TooDeep&) {
    bvh_.reset();
    reserved_ = std::make_unique<Reservation>(device, (subtrees.size() - 1) * sizeof(BinaryNode));
    halves_ = base::HugeArray<BinaryNode>(subtrees.size() - 1);
    root_ = joined_by_halves(subtrees, halves_.data());
  }
}

void UpperTree::build(Device& device, std::span<const Subtree> subtrees, const ProgressRange& progress) {
  const Reservation reserved(device, subtrees.size() * sizeof(RTCBuildPrimitive));
  base::HugeArray<RTCBuildPrimitive> primitives = primitives_of(subtrees);
  bvh_.reset(rtcNewBVH(device.get()));
  device.check();
  Joining joining{subtrees, progress};
  RTCBuildArguments a = rtcDefaultBuildArguments();
  a.maxBranchingFactor = 2;
  a.maxDepth = max_depth_of_upper_tree;
  a.sahBlockSize = 1;
  a.minLeafSize = a.maxLeafSize = 1;
  a.bvh = bvh_.get();
  a.primitives = primitives.data();
  a.primitiveCount = a.primitiveArrayCapacity = subtrees.size();
  root_ = *static_cast<const Subtree*>(Builder<Joining>::run(device, a, joining));
}

}  // namespace sphaera::index
