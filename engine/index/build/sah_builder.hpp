#pragma once
/// \file Spheres into leaf blocks and these into blocks: binned SAH from the top, full sweeps at the bottom.

#include <index/build/device.hpp>
#include <index/build/sah_sweep.hpp>
#include <vector>

namespace sphaera::index {

/// Neighbours, joined.
struct Block {
  Subtree subtree;
  base::HugeArray<BinaryNode> binary_nodes;
};

/// Orders the boxes so that each leaf block is a run, and joins leaf blocks to blocks. In the calling arena;
/// the same for any number of threads. Throws when `phase` is stopped.
std::vector<Block> group(std::span<GroupedBox> boxes, const BuildPhase& phase);

}  // namespace sphaera::index
