#pragma once
/// \file A belt of asteroids around a star at the origin, and lines of sight to that star.

#include <algorithm>
#include <cmath>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <tools/workload/random.hpp>

namespace sphaera::workload {

class Belt {
 public:
  static constexpr double inner = 100, outer = 1000;  ///< of the disc, along the plane
  static constexpr double thickness = 30;             ///< σ of z
  static constexpr double radius_max = 20;
  /// Smallest radius at a million bodies. It falls as 1/√n, so that the share of the sky hidden by the belt
  /// stays the same as n grows.
  static constexpr double radius_min_at_million = 0.12;

  Belt(std::uint64_t bodies, std::uint64_t seed)
      : seed_(seed),
        radius_min_(
            std::min(radius_min_at_million * std::sqrt(1e6 / std::max(1.0, static_cast<double>(bodies))),
                     radius_max / 2)) {}  // so that fewer than 144 bodies still have a range of radii

  Sphere sphere(std::uint64_t i) const {
    Random random(seed_, Purpose::sphere, i);
    const Vec3 center = position(random);
    return {center, power_law(random, radius_min_, radius_max)};
  }

  /// From a point in the belt (t = 0) to the star's center (t = 1). A Ray rather than a Segment, so that all
  /// scene kinds have the same interface. Nothing is lost: the direction, 0 − origin, is an exact double.
  Ray ray(std::uint64_t i) const {
    Random random(seed_, Purpose::ray, i);
    const Vec3 origin = position(random);
    return {origin, -origin, 0, 1};
  }

  double radius_min() const { return radius_min_; }

  /// A random point in the disc.
  static Vec3 position(Random& random) {
    Vec3 position = random.in_ring(inner, outer);
    position.z = thickness * random.bell();
    return position;
  }

  /// Density ∝ r^−(1 + n/2) on [smallest, largest], r^−2.5 for n = 3: smallest·u^(−2/n) with u uniform, drawn
  /// again if above largest. u^(1/n) is the maximum of n uniform numbers, which avoids an n-th root.
  static double power_law(Random& random, double smallest, double largest, int n = 3) {
    for (;;) {
      double root = random.unit();
      for (int i = 1; i < n; ++i) root = std::max(root, random.unit());
      const double radius = smallest / (root * root);
      if (radius <= largest) return radius;
    }
  }

 private:
  std::uint64_t seed_;
  double radius_min_;
};

}  // namespace sphaera::workload
