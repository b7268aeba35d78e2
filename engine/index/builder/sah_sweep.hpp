#pragma once
/// \file Groups a few boxes into leaf blocks of up to eight by a full sweep of the surface-area heuristic.

#include <cstdint>
#include <index/boxes/leaf_block.hpp>
#include <index/builder/binary_tree.hpp>
#include <span>

namespace sphaera::index {

inline constexpr std::size_t max_to_sweep = 32;

/// Cost of a leaf block's test relative to one node step. Eight or fewer spheres are split only if that
/// lowers the sum of areas enough. Rates are flat for costs from 1 to 2, memory is not (../decisions.md).
inline constexpr float leaf_cost = 1.15f;

/// Allowed cuts between leaf blocks.
enum class Fill : std::uint8_t {
  best,  ///< the smallest sum of areas
  full,  ///< among cuts that leave at most one leaf block not full: the least memory
};

/// At most `leaf_block_size` boxes as one leaf block. Their places count from `first`.
Subtree leaf(std::span<const SphereBox> boxes, std::uint32_t first);

/// Sorts 1 to `max_to_sweep` boxes so that each leaf block is a run, and joins the leaf blocks. The boxes'
/// places count from `first`.
Subtree sweep(std::span<SphereBox> boxes, std::uint32_t first, Fill fill, BinaryNodes& binary_nodes);

}  // namespace sphaera::index
