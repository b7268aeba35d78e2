#pragma once
/// \file Few boxes into leaf blocks of up to eight, by a full sweep of the surface-area heuristic.

#include <cstdint>
#include <index/build/binary_tree.hpp>
#include <index/layout/leaf_block.hpp>
#include <span>

namespace sphaera::index {

inline constexpr std::size_t most_to_sweep = 32;

/// What a leaf block's test costs beside a step down a node. Below it, eight or fewer spheres are split where
/// that lowers the sum of areas enough. Rates are flat from 1 to 2, memory is not (decisions.md).
inline constexpr float leaf_cost = 1.15f;

/// How leaf blocks may be cut.
enum class Fill : std::uint8_t {
  best,  ///< where areas are least
  full,  ///< of those cuts after which all leaf blocks but one are full: the least memory
};

/// At most `leaf_block_size` boxes as one; their places count from `first`.
Subtree leaf(std::span<const GroupedBox> boxes, std::uint32_t first);

/// Orders at most `most_to_sweep` boxes, at least one, so that each leaf block is a run, and joins the leaf
/// blocks. The boxes' places count from `first`.
Subtree sweep(std::span<GroupedBox> boxes, std::uint32_t first, Fill fill, BinaryNodes& binary_nodes);

}  // namespace sphaera::index
