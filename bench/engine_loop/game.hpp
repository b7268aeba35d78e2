#pragma once
/// \file What an engine asks of a scene, frame by frame: people walk, some respawn elsewhere, and some
/// shoot.

#include <cstdint>
#include <span>
#include <sphaera/scene.hpp>
#include <vector>

namespace sphaera::bench {

/// A shot ignores the shooter's squad and can hit only people on the layers in `layers`. A world that
/// remembers tests it against the crowd of `lag` frames ago, which the shooter saw; other worlds test it
/// against the crowd as it is.
struct Shot {
  Ray ray;
  std::int64_t squad;
  LayerMask layers;
  std::size_t lag;
};

class Game {
 public:
  struct Rules {
    std::uint64_t people = 100'000;
    std::size_t respawns = 50, shots = 10'000;  ///< per frame; fewer respawn if a person is drawn twice
    std::size_t lags = 16;                      ///< number of lags: 0 … lags − 1 frames
    std::uint64_t seed = 1;
  };

  explicit Game(const Rules& rules);

  const Rules& rules() const { return rules_; }
  std::span<const Sphere> start() const { return start_; }
  std::span<const std::uint8_t> layers() const { return layers_; }   ///< 1: bystanders
  std::span<const std::uint32_t> squads() const { return squads_; }  ///< ten people each

  /// Advances to the next frame.
  void advance();
  std::size_t frame() const { return frame_; }
  std::span<const Vec3> centers() const { return centers_; }
  std::span<const std::int64_t> gone() const { return gone_; }  ///< ascending
  std::span<const Sphere> born() const { return born_; }        ///< with the ids of gone()
  std::span<const std::uint8_t> born_layers() const { return born_layers_; }
  std::span<const std::uint32_t> born_squads() const { return born_squads_; }
  std::span<const Shot> shots() const { return shots_; }  ///< by ascending lag

 private:
  std::uint64_t draw();
  void respawn();
  void shoot();

  Rules rules_;
  std::vector<Sphere> start_, born_;
  std::vector<std::uint8_t> layers_, born_layers_;
  std::vector<std::uint32_t> squads_, born_squads_;
  std::vector<Vec3> centers_, steps_;
  std::vector<std::int64_t> gone_;
  std::vector<Shot> shots_;
  std::size_t frame_ = 0;
  std::uint64_t draws_ = 0;
};

}  // namespace sphaera::bench
