#pragma once
/// \file The interface of an engine that keeps the scene of a game and answers its shots.

#include <bench/engine_loop/game.hpp>
#include <memory>

namespace sphaera::bench {

class World {
 public:
  virtual ~World() = default;

  /// True if the world keeps the past. Otherwise shots see the crowd as it is now.
  virtual bool remembers() const { return false; }
  /// The most threads that may call `shoot` at once.
  virtual unsigned max_jobs() const { return ~0u; }
  /// Updates the scene to the game's current frame.
  virtual void advance(const Game& game) = 0;
  /// The person that each shot hits first, −1: none. `job`: the number of the calling thread.
  virtual void shoot(const Game& game, std::span<const Shot> shots, std::span<std::int64_t> hits,
                     unsigned job) = 0;
};

std::unique_ptr<World> make_sphaera_world(const Game& game, unsigned jobs);
std::unique_ptr<World> make_bullet_physics_world(const Game& game, unsigned jobs);
/// Embree's sphere points, in an index that is built again in each frame.
std::unique_ptr<World> make_embree_world(const Game& game, unsigned jobs);

}  // namespace sphaera::bench
