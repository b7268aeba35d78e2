#pragma once
/// \file Bullets through Bullet Physics: rayTest for thin ones, convexSweepTest of a btSphereShape for
/// others; one thread. Bullet supports neither targets that move during the flight nor bounces within one
/// call, so it answers only first impacts among spheres at rest.

#include <memory>
#include <span>
#include <sphaera/scene.hpp>

namespace sphaera::bench {

class BulletWorld;

class BulletShots {
 public:
  explicit BulletShots(std::span<const Sphere> spheres);
  ~BulletShots();

  /// The first impact of every bullet: time, distance, point, normal and sphere. Durations are finite.
  void shoot(std::span<const Bullet> bullets, std::span<Impact> out) const;

 private:
  std::unique_ptr<BulletWorld> world_;
};

}  // namespace sphaera::bench
