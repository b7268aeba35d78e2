#pragma once
/// \file Walls for a crowd: its rolling ground, and upright walls on it.

#include <array>
#include <bench/measure/huge_vector.hpp>
#include <cstdint>
#include <vector>

namespace sphaera::bench {

struct Walls {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// The ground of workload::Crowd(people, seed) in triangles of 8 m, and a wall of 8 m by 3 m for every 20
/// people, so that a bullet hits a wall after about 75 m on average. There are 1.2 triangles a person.
Walls make_walls(std::uint64_t people, std::uint64_t seed);

}  // namespace sphaera::bench
