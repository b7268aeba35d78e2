#pragma once
/// \file Spheres into packets and these into blocks: binned SAH from the top, full sweeps at the bottom.

#include <index/device.hpp>
#include <index/sweep.hpp>
#include <vector>

namespace sphaera::index {

/// Neighbours, joined.
struct Block {
  Part part;
  HugeArray<Branch> branches;
};

/// Orders the boxes so that each packet is a run, and joins packets to blocks. In the calling arena; the same
/// for any number of threads. Throws where `phase` is told to stop.
std::vector<Block> group(std::span<GroupedBox> boxes, const BuildPhase& phase);

}  // namespace sphaera::index
