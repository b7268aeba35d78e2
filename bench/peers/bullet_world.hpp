#pragma once
/// \file Spheres in Bullet Physics: static objects that `place` can move.

#include <btBulletCollisionCommon.h>

#include <bench/measure/huge_vector.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <sphaera/sphere.hpp>

namespace sphaera::bench {

inline btVector3 bullet_vector(const Vec3& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}
inline Vec3 vector_of(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

/// A btCollisionWorld of static btSphereShape objects, whose user index is the sphere's id.
class BulletWorld {
 public:
  explicit BulletWorld(std::span<const Sphere> spheres);

  /// Moves a sphere, and sets its radius.
  void place(int id, const Sphere& sphere);

  const btCollisionWorld& world() const { return parts_->world; }
  double bytes() const;

 private:
  /// Bullet's world with its parts, created and destroyed together.
  struct Parts {
    Parts() { pairs.m_deferedcollide = true; }  // rays need no pairs of spheres

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase pairs;
    btCollisionWorld world{&dispatcher, &pairs, &configuration};
  };

  void add(int id, const Sphere& sphere);

  std::int64_t before_ = 0;
  HugeVector<btSphereShape> shapes_;
  HugeVector<btCollisionObject> objects_;
  std::unique_ptr<Parts> parts_;  // destroyed first, because it refers to the objects
};

}  // namespace sphaera::bench
