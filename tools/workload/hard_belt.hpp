#pragma once
/// \file A belt with fewer large bodies (density ∝ r^−3.5, not r^−2.5), and lines of sight to its star that
/// start outside all bodies: few of them are decided by a large body, and none by a start inside one.

#include <cstdint>
#include <memory>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <tools/workload/belt.hpp>
#include <tools/workload/random.hpp>

namespace sphaera::workload {

class HardBelt {
 public:
  HardBelt(std::uint64_t bodies, std::uint64_t seed);

  Sphere sphere(std::uint64_t i) const {
    Random random(seed_, Purpose::sphere, i);
    const Vec3 center = Belt::position(random);
    return {center, Belt::power_law(random, radius_min_, Belt::radius_max, 5)};  // density ∝ r^−3.5
  }

  /// From a point of the disc outside all bodies (t = 0) to the star's center (t = 1). The first call builds
  /// an index of the bodies: memory and time of a `Scene`. Throws std::bad_alloc and what
  /// `Scene::build` throws.
  Ray ray(std::uint64_t i) const;

  double radius_min() const { return radius_min_; }

 private:
  class Obstacles;  // builds its index for the first ray; copies of a HardBelt share it

  std::uint64_t seed_;
  double radius_min_;
  std::shared_ptr<Obstacles> obstacles_;
};

}  // namespace sphaera::workload
