#pragma once
/// \file A scene and queries from any bytes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sphaera/sphaera.hpp>
#include <tests/queries/questions.hpp>
#include <vector>

namespace sphaera::fuzz {

/// Which spheres each query of a call sees. Vectors have an item for each of `max_rows`, or none.
struct Restriction {
  LayerMask layers = all_layers;
  std::vector<LayerMask> layers_each;
  std::vector<std::int64_t> ignore, ignore_owners, also_ignore_owners;
  std::vector<double> times;
  std::uint64_t accept = 0;  ///< not 0: query q does not see sphere s if (q + s) % accept is 0
  bool skip = false;         ///< rows that are not valid are skipped, not refused
};

/// Each member is valid by itself. The library may still refuse them together (say, a sphere that leaves the
/// domain within the horizon).
struct FuzzCase {
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;  ///< empty: at rest
  std::vector<std::uint8_t> layers;
  std::vector<std::uint32_t> owners;
  Horizon horizon{0, 1};
  BuildQuality quality{};
  test::Questions questions;  ///< the fallers are the bullets; `flight` shows the vectors of this case
  std::vector<double> restitutions, frictions;  ///< one for each sphere, or none
  Restriction restriction;

  FuzzCase() = default;
  FuzzCase(FuzzCase&&) = default;
  FuzzCase& operator=(FuzzCase&&) = default;
};

inline constexpr std::size_t max_spheres = 40;
/// At most so many inputs of each kind.
inline constexpr std::size_t max_inputs = 5;
/// Queries of a batch, which may be about the spheres of the scene, too.
inline constexpr std::size_t max_rows = std::max(max_inputs, max_spheres);

FuzzCase decode(std::span<const std::uint8_t> bytes);

/// To standard error, numbers in hexadecimal.
void print(const FuzzCase& fuzzed);

}  // namespace sphaera::fuzz
