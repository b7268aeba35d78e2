#pragma once
/// \file Few boxes into groups of up to eight by a full sweep of the surface-area heuristic.

#include <cstdint>
#include <index/hull.hpp>
#include <index/packet.hpp>
#include <span>

namespace sphaera::index {

inline constexpr std::size_t most_to_sweep = 32;

/// What a packet's test costs beside a step down a node. Below it, eight or fewer spheres are split where
/// that lowers the sum of areas enough. Rates are flat from 1 to 2 (± 3 % on crowd, belt and uniform scenes
/// of 1e5); memory is not: behind Embree's Morton builder (packets.hpp) a crowd of 1e6 took 41, 43 and 47
/// bytes a sphere for 1, 1.15 and 1.3.
inline constexpr float packet_cost = 1.15f;

/// How groups may be cut.
enum class Fill : std::uint8_t {
  best,  ///< where areas are least
  full,  ///< of those cuts after which all groups but one are full: the least memory
};

/// Orders at most `most_to_sweep` boxes so that each group is a run, and marks where one starts. Returns how
/// many there are.
std::size_t sweep(std::span<GroupedBox> boxes, Fill fill);

}  // namespace sphaera::index
