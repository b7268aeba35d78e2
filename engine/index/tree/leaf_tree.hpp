#pragma once
/// \file Joins blocks of leaf blocks and other subtrees to one tree, laid out in wide nodes.

#include <index/builder/sah_builder.hpp>
#include <index/tree/bvh.hpp>

namespace sphaera::index {

struct LeafTree {
  Bvh bvh;
  base::HugeArray<LeafIds> leaves;

  /// Builds in the calling arena. Leaf blocks are runs of `order`. `others` become primitives after the leaf
  /// blocks. The nodes and ids count as the device's memory. Bvh::refit gives the nodes their boxes.
  LeafTree(Device& device, std::span<const LeafBlockTree> blocks, std::span<const std::uint32_t> order,
           std::span<const Subtree> others, const ProgressRange& progress);
};

}  // namespace sphaera::index
