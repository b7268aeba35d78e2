#include <base/errors.hpp>
#include <index/builder/upper_tree.hpp>
#include <index/tree/leaf_tree.hpp>

namespace sphaera::index {

LeafTree::LeafTree(Device& device, std::span<const LeafBlockTree> blocks,
                   std::span<const std::uint32_t> order, std::span<const Subtree> others,
                   const ProgressRange& progress) {
  std::vector<Subtree> subtrees;
  subtrees.reserve(blocks.size() + others.size());
  for (const LeafBlockTree& block : blocks) subtrees.push_back(block.subtree);
  subtrees.insert(subtrees.end(), others.begin(), others.end());
  const UpperTree tree(device, subtrees, progress);
  const std::size_t count = tree.root().leaves;
  if (count + others.size() >= BvhRef::primitive_bit) base::throw_out_of_memory();
  device.reserve(count * sizeof(LeafIds));
  leaves = base::HugeArray<LeafIds>(count, device.memory());
  bvh = Bvh(device, tree.root(), order, leaves.items());
}

}  // namespace sphaera::index
