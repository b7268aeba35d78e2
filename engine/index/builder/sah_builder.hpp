#pragma once
/// \file Groups spheres into leaf blocks and leaf blocks into blocks: binned SAH from the top, then, except
/// in fast builds, full sweeps at the bottom.

#include <index/builder/sah_sweep.hpp>
#include <index/device/device.hpp>
#include <vector>

namespace sphaera::index {

/// Neighboring leaf blocks, joined in one binary tree.
struct LeafBlockTree {
  Subtree subtree;
  base::HugeArray<BinaryNode> binary_nodes;
};

/// Bytes that blocks take until their binary trees are joined.
std::uint64_t bytes_of(std::span<const LeafBlockTree> blocks);

/// Sorts the boxes so that each leaf block is a run, and joins leaf blocks to blocks. The boxes' places count
/// from `first`. Runs in the calling arena; the result is the same for any number of threads. Throws if
/// a stop is requested.
std::vector<LeafBlockTree> group(std::span<SphereBox> boxes, const ProgressRange& progress,
                                 std::uint32_t first = 0);

}  // namespace sphaera::index
