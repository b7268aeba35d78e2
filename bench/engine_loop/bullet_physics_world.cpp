#include <bench/engine_loop/world.hpp>
#include <bench/peers/bullet_world.hpp>

namespace sphaera::bench {
namespace {

/// Passes over what a ray does not see: spheres of one or two owners, and of other layers.
struct AmongOthers : btCollisionWorld::RayResultCallback {
  AmongOthers(const Game& g, std::int64_t first, std::int64_t second, LayerMask seen)
      : game(g), owners{first, second}, layers(seen) {}

  bool needsCollision(btBroadphaseProxy* proxy) const override {
    const auto i = static_cast<std::size_t>(
        static_cast<const btCollisionObject*>(proxy->m_clientObject)->getUserIndex());
    const auto owner = std::int64_t{game.bodies().owners()[i]};
    return owner != owners[0] && owner != owners[1] && (layers >> game.layers()[i] & 1) != 0;
  }

  const Game& game;
  std::int64_t owners[2];
  LayerMask layers;
};

struct First final : AmongOthers {
  First(const Game& g, std::int64_t shooter, LayerMask seen) : AmongOthers(g, shooter, shooter, seen) {}

  btScalar addSingleResult(btCollisionWorld::LocalRayResult& result, bool) override {
    found = result.m_collisionObject->getUserIndex();
    return m_closestHitFraction = result.m_hitFraction;
  }

  std::int64_t found = -1;
};

/// Ends the search at any hit.
struct Any final : AmongOthers {
  Any(const Game& g, std::int64_t looker, std::int64_t target) : AmongOthers(g, looker, target, all_layers) {}

  btScalar addSingleResult(btCollisionWorld::LocalRayResult&, bool) override {
    found = true;
    return m_closestHitFraction = 0;
  }

  bool found = false;
};

class BulletPhysicsWorld final : public OneByOneWorld {
 public:
  explicit BulletPhysicsWorld(const Game& game) : game_(game), world_(game.bodies().start()) {}

  unsigned max_jobs() const override { return 1; }  // rayTest writes to members of the broad phase

  void update(const Game& game) override {
    const Bodies& bodies = game.bodies();
    for (std::size_t i = 0; i < bodies.centers().size(); ++i)
      world_.place(static_cast<int>(i), {bodies.centers()[i], bodies.start()[i].radius});
    for (std::size_t i = 0; i < game.gone().size(); ++i)
      world_.place(static_cast<int>(game.gone()[i]), game.born()[i]);
  }

 private:
  std::int64_t shoot(const Shots& shots, std::size_t i) const override {
    First first(game_, shots.shooters[i], shots.layers[i]);
    const Ray& ray = shots.rays[i];
    test(ray.origin, ray.origin + ray.t_max * ray.direction, first);
    return first.found;
  }
  bool look(const Sights& sights, std::size_t i) const override {
    Any any(game_, sights.lookers[i], sights.targets[i]);
    test(sights.lines[i].from, sights.lines[i].to, any);
    return any.found;
  }
  void test(const Vec3& from, const Vec3& to, AmongOthers& callback) const {
    world_.world().rayTest(bullet_vector(from), bullet_vector(to), callback);
  }

  const Game& game_;
  BulletWorld world_;
};

}  // namespace

std::unique_ptr<World> make_bullet_physics_world(const Game& game, unsigned) {
  return std::make_unique<BulletPhysicsWorld>(game);
}

}  // namespace sphaera::bench
