#pragma once
/// \file The generated level: a house of nine rooms around a hall, and the people in it. Meters; z points up.

#include <cstdint>
#include <sphaera/sphere.hpp>
#include <vector>

#include "mesh.hpp"

namespace level {

inline constexpr float length = 48, width = 30;  ///< of the house, along x and y
inline constexpr float height = 3;               ///< of its walls

Mesh walls();             ///< outer and inner walls with doorways, pillars, the plinth of the statue
Mesh floor_of_house();    ///< two triangles at z = 0
Mesh ceiling_of_house();  ///< two triangles at z = height
inline constexpr std::array<float, 3> statue_foot{length / 2, width / 2, 0.45f};
inline constexpr float statue_height = 2.3f;

/// The lamps: points below the ceiling.
std::vector<sphaera::Vec3> lamps();

/// A person is a stack of spheres; sphere i belongs to person i / spheres_per_person. The last
/// sphere of each person is the head.
inline constexpr std::size_t spheres_per_person = 5;

/// At most `number` people who stand in the rooms, apart from each other and from the walls; fewer where no
/// free place is found. The same for the same seed.
std::vector<sphaera::Sphere> people(std::size_t number, std::uint64_t seed);

/// Random numbers with the same bits on every platform, which the distributions of <random> do not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
  }
  std::size_t below(std::size_t n) { return bits() % n; }

 private:
  std::uint64_t bits() {  // SplitMix64 (Steele et al., 2014)
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::uint64_t state_;
};

}  // namespace level
