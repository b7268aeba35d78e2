#pragma once
/// \file Few boxes into packets of up to eight, by a full sweep of the surface-area heuristic.

#include <cstdint>
#include <index/build/binary_tree.hpp>
#include <index/layout/leaf_block.hpp>
#include <span>

namespace sphaera::index {

inline constexpr std::size_t most_to_sweep = 32;

/// What a packet's test costs beside a step down a node. Below it, eight or fewer spheres are split where
/// that lowers the sum of areas enough. Rates are flat from 1 to 2, memory is not (decisions.md).
inline constexpr float packet_cost = 1.15f;

/// How packets may be cut.
enum class Fill : std::uint8_t {
  best,  ///< where areas are least
  full,  ///< of those cuts after which all packets but one are full: the least memory
};

/// At most `packet_size` boxes as one; their places count from `first`.
Part packet(std::span<const GroupedBox> boxes, std::uint32_t first);

/// Orders at most `most_to_sweep` boxes, at least one, so that each packet is a run, and joins the packets.
/// The boxes' places count from `first`.
Part sweep(std::span<GroupedBox> boxes, std::uint32_t first, Fill fill, BranchList& branches);

}  // namespace sphaera::index
