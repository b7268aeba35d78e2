#include <bench/engine_loop/world.hpp>
#include <bench/peers/bullet_world.hpp>

namespace sphaera::bench {
namespace {

/// The first person that a shot hits. The shot ignores the shooter's squad, and people on layers outside the
/// shot's mask.
struct FirstAllowed final : btCollisionWorld::RayResultCallback {
  FirstAllowed(const Game& g, const Shot& s) : game(g), shot(s) {}

  bool needsCollision(btBroadphaseProxy* proxy) const override {
    const auto i = static_cast<std::size_t>(
        static_cast<const btCollisionObject*>(proxy->m_clientObject)->getUserIndex());
    return std::int64_t{game.squads()[i]} != shot.squad && (shot.layers >> game.layers()[i] & 1) != 0;
  }
  btScalar addSingleResult(btCollisionWorld::LocalRayResult& result, bool) override {
    found = result.m_collisionObject->getUserIndex();
    return m_closestHitFraction = result.m_hitFraction;
  }

  const Game& game;
  const Shot& shot;
  std::int64_t found = -1;
};

class BulletPhysicsWorld final : public World {
 public:
  explicit BulletPhysicsWorld(const Game& game) : world_(game.start()) {}

  unsigned max_jobs() const override { return 1; }  // rayTest writes to members of the broad phase

  void advance(const Game& game) override {
    for (std::size_t i = 0; i < game.centers().size(); ++i)
      world_.place(static_cast<int>(i), {game.centers()[i], game.start()[i].radius});
  }
  void shoot(const Game& game, std::span<const Shot> shots, std::span<std::int64_t> hits, unsigned) override {
    for (std::size_t i = 0; i < shots.size(); ++i) {
      FirstAllowed first(game, shots[i]);
      const Ray& ray = shots[i].ray;
      world_.world().rayTest(bullet_vector(ray.origin), bullet_vector(ray.origin + ray.t_max * ray.direction),
                             first);
      hits[i] = first.found;
    }
  }

 private:
  BulletWorld world_;
};

}  // namespace

std::unique_ptr<World> make_bullet_physics_world(const Game& game, unsigned) {
  return std::make_unique<BulletPhysicsWorld>(game);
}

}  // namespace sphaera::bench
