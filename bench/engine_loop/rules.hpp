#pragma once
/// \file The sizes of the game, and its constants.

#include <cstddef>
#include <cstdint>
#include <sphaera/bullet.hpp>
#include <sphaera/scene.hpp>

namespace sphaera::bench {

/// How many people play, and how much happens and is asked in a frame.
struct Rules {
  std::uint64_t people = 50'000;  ///< three spheres each
  bool on_planet = false;
  std::size_t jumps = 50;     ///< people who move far away by `update`
  std::size_t respawns = 50;  ///< people who are erased and inserted elsewhere; fewer if drawn twice
  std::size_t shots = 5'000, sights = 20'000, grenades = 200, nearest = 1'000, interest = 500, walls = 2'000;

  static constexpr std::size_t lags = 16;                          ///< shots look back 0 … lags − 1 frames
  static constexpr double frame_time = 1.0 / 60;                   ///< seconds
  static constexpr double shot_range = 200, interest_radius = 30;  ///< meters
  static constexpr std::size_t neighbors = 4;                      ///< nearest spheres that are asked for
  /// The most people whose names an interest set holds, the nearest ones; all are counted.
  static constexpr std::size_t interest_names = 256;
};

/// Layers of the spheres. Every tenth person is a bystander.
inline constexpr std::uint8_t fighter_layer = 0, bystander_layer = 1, ground_layer = 2;
inline constexpr LayerMask no_bystanders = ~(LayerMask{1} << bystander_layer),
                           people_layers = ~(LayerMask{1} << ground_layer);

/// How grenades fly for a frame: they fall, bounce off people and the planet, and leave a sphere that they
/// were in when the frame began.
inline FlightOptions grenade_flight() {
  return {.bounces = 8,
          .start_inside = StartInside::leaves,
          .gravity = {0, 0, -9.81},
          .restitution = 0.4,
          .friction = 0.3};
}

}  // namespace sphaera::bench
