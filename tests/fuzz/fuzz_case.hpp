#pragma once
/// \file A scene and queries from any bytes.

#include <cstddef>
#include <cstdint>
#include <span>
#include <sphaera/sphaera.hpp>
#include <vector>

namespace sphaera::fuzz {

/// Each member is valid by itself. The library may still refuse them together (say, a sphere that leaves the
/// domain within the horizon).
struct FuzzCase {
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;  ///< empty: at rest
  Horizon horizon{0, 1};
  BuildQuality quality{};
  std::vector<Ray> rays;
  std::vector<Segment> segments;
  std::vector<Vec3> points;
  std::vector<Ball> balls;
  std::vector<Bullet> bullets;
  FlightOptions flight;
  double max_distance = 0;
  std::vector<Star> stars;
  std::vector<Observer> observers;
};

FuzzCase decode(std::span<const std::uint8_t> bytes);

/// To standard error, numbers in hexadecimal.
void print(const FuzzCase& fuzzed);

}  // namespace sphaera::fuzz
