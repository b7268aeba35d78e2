#pragma once
/// \file Spheres uniform in a cube, one per unit of volume, and rays with random origins and directions.

#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <tools/workload/random.hpp>

namespace sphaera::workload {

class Uniform {
 public:
  static constexpr double radius_min = 0.05, radius_max = 0.3;

  Uniform(std::uint64_t spheres, std::uint64_t seed)
      : seed_(seed), side_(cube_root(static_cast<double>(spheres))) {}

  Sphere sphere(std::uint64_t i) const {
    Random random(seed_, Purpose::sphere, i);
    const Vec3 center = somewhere(random);
    return {center, random.between(radius_min, radius_max)};
  }

  /// From a random point in the cube to infinity; t is the distance.
  Ray ray(std::uint64_t i) const {
    Random random(seed_, Purpose::ray, i);
    const Vec3 origin = somewhere(random);
    return {origin, random.direction(), 0, infinity};
  }

  double side() const { return side_; }  ///< of the cube, centered on the origin

 private:
  Vec3 somewhere(Random& random) const {
    const double x = random.unit(), y = random.unit(), z = random.unit();
    return side_ * Vec3{x - 0.5, y - 0.5, z - 0.5};
  }

  // Newton's iteration decreases towards the root until rounding stops it. The last bit of std::cbrt depends
  // on the library.
  static double cube_root(double value) {
    double root = value < 1 ? 1 : value;
    for (;;) {
      const double next = (2 * root + value / (root * root)) / 3;
      if (!(next < root)) return root;
      root = next;
    }
  }

  std::uint64_t seed_;
  double side_;
};

}  // namespace sphaera::workload
