#include <bench/peers/bullet_shots.hpp>
#include <bench/peers/bullet_world.hpp>
#include <cmath>

namespace sphaera::bench {
namespace {

using ClosestRay = btCollisionWorld::ClosestRayResultCallback;
using ClosestConvex = btCollisionWorld::ClosestConvexResultCallback;

Impact impact_of(const Bullet& bullet, double fraction, const btVector3& point, const btVector3& normal,
                 const btCollisionObject* object) {
  Impact impact;
  if (!object) return impact;
  const double elapsed = bullet.duration * fraction;
  impact.time = bullet.start + elapsed;
  impact.distance = elapsed * std::sqrt(dot(bullet.velocity, bullet.velocity));
  impact.point = vector_of(point), impact.normal = vector_of(normal);
  impact.sphere = object->getUserIndex();
  impact.contact = Contact::enters;
  impact.outcome = Outcome::stops;
  return impact;
}

Impact cast(const btCollisionWorld& world, const Bullet& bullet, const btVector3& from, const btVector3& to) {
  ClosestRay closest(from, to);
  world.rayTest(from, to, closest);
  return impact_of(bullet, closest.m_closestHitFraction, closest.m_hitPointWorld, closest.m_hitNormalWorld,
                   closest.m_collisionObject);
}

Impact sweep(const btCollisionWorld& world, const Bullet& bullet, const btVector3& from,
             const btVector3& to) {
  const btSphereShape ball(static_cast<btScalar>(bullet.radius));
  const btQuaternion upright = btQuaternion::getIdentity();
  ClosestConvex closest(from, to);
  world.convexSweepTest(&ball, btTransform(upright, from), btTransform(upright, to), closest);
  return impact_of(bullet, closest.m_closestHitFraction, closest.m_hitPointWorld, closest.m_hitNormalWorld,
                   closest.m_hitCollisionObject);
}

}  // namespace

BulletShots::BulletShots(std::span<const Sphere> spheres) : world_(std::make_unique<BulletWorld>(spheres)) {}

BulletShots::~BulletShots() = default;

void BulletShots::shoot(std::span<const Bullet> bullets, std::span<Impact> out) const {
  for (std::size_t i = 0; i < bullets.size(); ++i) {
    const Bullet& bullet = bullets[i];
    const btVector3 from = bullet_vector(bullet.origin),
                    to = bullet_vector(bullet.origin + bullet.duration * bullet.velocity);
    out[i] = bullet.radius > 0 ? sweep(world_->world(), bullet, from, to)
                               : cast(world_->world(), bullet, from, to);
  }
}

}  // namespace sphaera::bench
