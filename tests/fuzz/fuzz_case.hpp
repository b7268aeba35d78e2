#pragma once
/// \file A scene and queries from any bytes.

#include <cstddef>
#include <cstdint>
#include <span>
#include <sphaera/sphaera.hpp>
#include <vector>

namespace sphaera::fuzz {

/// Which spheres each query of a call sees. Vectors have an item for each of `max_queries`, or none.
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
  std::vector<Ray> rays;
  std::vector<Segment> segments;
  std::vector<Vec3> points;
  std::vector<Ball> balls;
  std::vector<Bullet> bullets;
  FlightOptions flight;                         ///< without the spans: see flight_of
  std::vector<Vec3> gravities;                  ///< one for each bullet, or none
  std::vector<double> restitutions, frictions;  ///< one for each sphere, or none
  double max_distance = 0;
  std::vector<Star> stars;
  std::vector<Observer> observers;
  std::vector<Source> sources;
  std::vector<Receiver> receivers;
  Restriction restriction;
};

/// At most so many queries of each kind.
inline constexpr std::size_t max_queries = 5;

FuzzCase decode(std::span<const std::uint8_t> bytes);

/// To standard error, numbers in hexadecimal.
void print(const FuzzCase& fuzzed);

}  // namespace sphaera::fuzz
