#pragma once
/// \file The people of a game and what happens in its frames: all walk, some jump, some come back elsewhere,
/// and many ask.

#include <bench/engine_loop/nearby.hpp>
#include <bench/engine_loop/questions.hpp>
#include <bench/measure/bodies.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace sphaera::bench {

class Game {
 public:
  explicit Game(const Rules& rules);

  const Rules& rules() const { return rules_; }
  const Bodies& bodies() const { return bodies_; }
  std::span<const std::uint8_t> layers() const { return layers_; }  ///< of the spheres
  std::size_t frame() const { return frame_; }
  double time() const { return static_cast<double>(frame_) * Rules::frame_time; }

  /// Advances to the next frame: all walk, some jump. Those who come back elsewhere are still at their old
  /// places in bodies().
  void walk();
  std::span<const std::int64_t> gone() const { return gone_; }  ///< ids to be erased, ascending
  std::span<const Sphere> born() const { return born_; }        ///< with the ids of gone()
  std::span<const std::uint32_t> born_owners() const { return born_owners_; }
  std::span<const std::uint8_t> born_layers() const { return born_layers_; }

  /// Puts those who come back at their new places, and draws the frame's questions.
  void ask();
  const Questions& questions() const { return questions_; }
  /// Grenades go on from the ends of their flights; those that have stopped or burned down are thrown again.
  void follow_grenades(std::span<const FlightEnd> ends);

 private:
  void choose_respawns();
  void shoot();
  void look();
  void ask_for_neighbors();
  void throw_grenade(std::size_t i);
  workload::Random random();
  Ray shot_of(std::size_t person);
  Vec3 head_of(std::size_t person) const;

  Rules rules_;
  Bodies bodies_;
  Nearby nearby_;
  std::vector<std::uint8_t> layers_, born_layers_;
  std::vector<std::size_t> respawning_;
  std::vector<Vec3> places_;  // of those who come back
  std::vector<std::int64_t> gone_;
  std::vector<Sphere> born_;
  std::vector<std::uint32_t> born_owners_;
  Questions questions_;
  std::vector<double> thrown_;  // when each grenade was thrown, seconds
  std::size_t frame_ = 0;
  std::uint64_t draws_ = 0;
};

}  // namespace sphaera::bench
