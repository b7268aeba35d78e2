#pragma once
/// \file The spheres near one place, gathered by one walk for many points that lie close together.

#include <array>
#include <cstdint>
#include <index/boxes/leaf_block.hpp>

namespace sphaera::index {

/// Spheres in the local units of a frame, without empty lanes between them. The arrays have room for eight
/// more than `most`, since eight are written at a time.
struct GatheredSpheres {
  static constexpr std::uint32_t most = 512;

  std::uint32_t size = 0;
  std::array<std::uint32_t, most + leaf_block_size> ids;
  alignas(64) std::array<float, most + leaf_block_size> x, y, z, radius;
};

}  // namespace sphaera::index
