#pragma once
/// \file The straightforward user geometry for bullets: one primitive per sphere. Its box bounds the sphere,
/// grown by the largest bullet radius, over the whole time interval. The callback runs a certified test in
/// double at the bullet's own time.

#include <bench/measure/huge_vector.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <sphaera/scene.hpp>

namespace sphaera::bench {

class NaiveShots {
 public:
  /// Supports bullets of radius ≤ `largest_bullet_radius`. As in BuildOptions, without velocities all spheres
  /// are at rest.
  NaiveShots(std::span<const Sphere> spheres, std::span<const Vec3> velocities, const Horizon& horizon,
             double largest_bullet_radius);
  ~NaiveShots();

  /// Finds the first impact of every bullet, in the caller's arena.
  void shoot(std::span<const Bullet> bullets, std::span<Impact> out) const;
  /// Finds the impacts of every bullet, which is mirrored at up to `bounces` spheres and stops at the next.
  ImpactLists shoot(std::span<const Bullet> bullets, std::uint32_t bounces) const;

 private:
  class Field;
  std::unique_ptr<Field> field_;
};

}  // namespace sphaera::bench
