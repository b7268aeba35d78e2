#pragma once
/// \file The belt at its true size, in meters. Bodies are so small compared with their distances that only
/// lines of sight aimed at them hit any.

#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <tools/workload/belt.hpp>
#include <tools/workload/random.hpp>

namespace sphaera::workload {

class Astronomical {
 public:
  static constexpr double belt_unit = 1e9;                     ///< meters: the disc extends from 1e11 to 1e12
  static constexpr double radius_min = 1e2, radius_max = 1e7;  ///< meters
  static constexpr double aim = 2;      ///< lines pass a body's center within this many of its radii
  static constexpr double farther = 2;  ///< and start at up to this many times its distance from the star

  /// `meter`: the length of a meter in the scene. With 1/belt_unit the scene has the belt's size.
  Astronomical(std::uint64_t bodies, std::uint64_t seed, double meter = 1)
      : bodies_(bodies), seed_(seed), meter_(meter) {}

  Sphere sphere(std::uint64_t i) const {
    Random random(seed_, Purpose::sphere, i);
    const Vec3 center = meter_ * belt_unit * Belt::position(random);
    return {center, meter_ * Belt::power_law(random, radius_min, radius_max)};
  }

  /// t = 0: a point beside or beyond a body, as seen from the star. t = 1: the star's center.
  Ray ray(std::uint64_t i) const {
    Random random(seed_, Purpose::ray, i);
    const Sphere body = sphere(bodies_ ? random.bits() % bodies_ : 0);
    const Vec3 side = random.direction();
    const double beside = random.between(0, aim) * body.radius;
    const Vec3 origin = random.between(1, farther) * (body.center + beside * side);
    return {origin, -origin, 0, 1};
  }

 private:
  std::uint64_t bodies_, seed_;
  double meter_;
};

}  // namespace sphaera::workload
