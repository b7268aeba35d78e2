#include <malloc.h>

#include <atomic>
#include <bench/peers/bullet_world.hpp>

namespace sphaera::bench {
namespace {

/// Bytes that Bullet holds. Its allocator hooks are global, so the count is global, too.
std::atomic<std::int64_t> held{0};

void* allocate(std::size_t bytes, int alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  void* memory = std::aligned_alloc(step, (bytes + step - 1) / step * step);
  held += static_cast<std::int64_t>(malloc_usable_size(memory));
  return memory;
}

void release(void* memory) {
  held -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

BulletWorld::BulletWorld(std::span<const Sphere> spheres) {
  btAlignedAllocSetCustomAligned(allocate, release);
  before_ = held;
  parts_ = std::make_unique<Parts>();
  objects_ = HugeVector<btCollisionObject>(spheres.size());
  shapes_.reserve(spheres.size());
  for (std::size_t i = 0; i < spheres.size(); ++i) add(static_cast<int>(i), spheres[i]);
  parts_->pairs.optimize();
}

void BulletWorld::place(int id, const Sphere& sphere) {
  btCollisionObject& object = objects_[static_cast<std::size_t>(id)];
  shapes_[static_cast<std::size_t>(id)].setUnscaledRadius(static_cast<btScalar>(sphere.radius));
  object.setWorldTransform(btTransform(btQuaternion::getIdentity(), bullet_vector(sphere.center)));
  parts_->world.updateSingleAabb(&object);
}

double BulletWorld::bytes() const {
  return static_cast<double>(held - before_) +
         static_cast<double>(objects_.size() * (sizeof(btCollisionObject) + sizeof(btSphereShape)));
}

void BulletWorld::add(int id, const Sphere& sphere) {
  btCollisionObject& object = objects_[static_cast<std::size_t>(id)];
  object.setCollisionShape(&shapes_.emplace_back(static_cast<btScalar>(sphere.radius)));
  object.setWorldTransform(btTransform(btQuaternion::getIdentity(), bullet_vector(sphere.center)));
  object.setCollisionFlags(btCollisionObject::CF_STATIC_OBJECT);
  object.setUserIndex(id);
  parts_->world.addCollisionObject(&object, btBroadphaseProxy::StaticFilter,
                                   btBroadphaseProxy::DefaultFilter);
}

}  // namespace sphaera::bench
