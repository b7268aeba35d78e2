#pragma once
/// \file Few boxes into groups of up to eight by a full sweep of the surface-area heuristic.

#include <array>
#include <cstdint>
#include <index/packet.hpp>
#include <span>

namespace sphaera::index {

inline constexpr std::size_t most_to_sweep = 32;

/// What a packet's test costs beside a step down a node. Below it, eight or fewer spheres are split where
/// that lowers the sum of areas enough. Rates are flat from 1 to 2 (± 3 % on crowd, belt and uniform scenes
/// of 1e5); memory is not: on a crowd of 1e6 41, 43 and 47 bytes a sphere for 1, 1.15 and 1.3.
inline constexpr float packet_cost = 1.15f;

/// A box of one sphere.
struct SweepBox {
  std::array<float, 3> lower, upper;
  std::uint32_t id;
};

/// How groups may be cut.
enum class Fill : std::uint8_t {
  best,  ///< where areas are least
  full,  ///< of those cuts after which all groups but one are full: the least memory
};

/// Puts the ids of at most `most_to_sweep` boxes in an order in which each group is a run; starts[i] = 1
/// where one begins, else 0.
void sweep(std::span<const SweepBox> boxes, Fill fill, std::span<std::uint32_t> ids,
           std::span<std::uint8_t> starts);

}  // namespace sphaera::index
