#pragma once
/// \file The interface of an engine that keeps the scene of a game and answers its questions.

#include <bench/engine_loop/game.hpp>
#include <limits>
#include <memory>

namespace sphaera::bench {

class World {
 public:
  virtual ~World() = default;

  /// True if the world keeps the past. Otherwise shots see the crowd as it is now.
  virtual bool remembers() const { return false; }
  /// Does the world have this part of the frame?
  virtual bool has(System system) const {
    return system == System::update || system == System::shots || system == System::sights;
  }
  /// The most threads that may call `answer` at once.
  virtual unsigned max_jobs() const { return ~0u; }
  /// Updates the scene to the game's current frame: Game::walk has run.
  virtual void update(const Game& game) = 0;
  /// Milliseconds of the last update that went to erasing and inserting.
  virtual double milliseconds_of_respawns() const { return std::numeric_limits<double>::quiet_NaN(); }
  /// Brings the people among walls to the current frame.
  virtual void update_bridge() {}
  /// Answers questions of one system. `job`: the number of the calling thread.
  virtual void answer(System system, const Questions& questions, Range range, Answers& answers,
                      unsigned job) = 0;
  /// The largest degradation of the index so far (UpdateResult).
  virtual double worst_degradation() const { return 1; }
};

/// A world that answers shots and lines of sight alone, one by one.
class OneByOneWorld : public World {
 public:
  void answer(System system, const Questions& questions, Range range, Answers& answers, unsigned) final {
    for (std::size_t i = range.begin; i < range.begin + range.size; ++i) {
      if (system == System::shots) {
        answers.shots[i] = shoot(questions.shots, i);
      } else {
        answers.blocked[i] = look(questions.sights, i);
      }
    }
  }

 private:
  /// What shot i hits first; −1: nobody.
  virtual std::int64_t shoot(const Shots& shots, std::size_t i) const = 0;
  /// Is line i blocked?
  virtual bool look(const Sights& sights, std::size_t i) const = 0;
};

std::unique_ptr<World> make_sphaera_world(const Game& game, unsigned jobs);
std::unique_ptr<World> make_bullet_physics_world(const Game& game, unsigned jobs);
/// Embree's sphere points, in an index that is built again in each frame.
std::unique_ptr<World> make_embree_world(const Game& game, unsigned jobs);

}  // namespace sphaera::bench
