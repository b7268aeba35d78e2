#pragma once
/// \file The user geometry that one writes first for bullets: one primitive a sphere, its box holding what
/// the sphere sweeps over the horizon, and an exact test in double at the bullet's own time in the callback.

#include <bench/huge_vector.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <sphaera/scene.hpp>

namespace sphaera::bench {

class NaiveShots {
 public:
  /// For bullets up to `largest` in radius; as in BuildOptions, no velocities: all at rest.
  NaiveShots(std::span<const Sphere> spheres, std::span<const Vec3> velocities, const Horizon& horizon,
             double largest);
  ~NaiveShots();

  /// The first impact of every bullet, in the caller's arena.
  void shoot(std::span<const Bullet> bullets, std::span<Impact> out) const;
  /// All impacts of every bullet as it bounces off spheres like a ray off a mirror.
  ImpactLists shoot(std::span<const Bullet> bullets, std::uint32_t bounces) const;

 private:
  class Field;
  std::unique_ptr<Field> field_;
};

}  // namespace sphaera::bench
