#pragma once
/// \file Spheres into the groups of an index' packets: binned SAH from the top, full sweeps at the bottom.

#include <index/device.hpp>
#include <index/sweep.hpp>

namespace sphaera::index {

/// Orders the boxes, at least one, so that each group is a run of at most `packet_size`, and marks where one
/// starts. Returns how many there are. In the calling arena; the same for any number of threads. Throws where
/// `phase` is told to stop.
std::size_t group(std::span<GroupedBox> boxes, const BuildPhase& phase);

}  // namespace sphaera::index
