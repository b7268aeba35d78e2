#pragma once
/// \file People on a planet, and the SceneBuffer in which they stand.

#include <array>
#include <cstdint>
#include <random>
#include <sphaera/scene_buffer.hpp>
#include <vector>

namespace game {

inline constexpr double frame_time = 1. / 60;  // seconds
inline constexpr std::size_t most_lag = 8;     // frames
inline constexpr sphaera::Sphere planet{{0, 0, 0}, 6'371'000};

/// The ground has a layer of its own: questions about people do not see it.
inline constexpr std::uint8_t ground_layer = 0, people_layer = 1;
inline constexpr sphaera::LayerMask only_people = sphaera::LayerMask{1} << people_layer;

enum Part : std::uint8_t { head, body, legs };
inline constexpr std::size_t parts = 3;

/// The owner of a person's spheres is the person's number, which nobody else gets. Ids are used again.
struct Person {
  double x = 0, y = 0;    // meters from the town's middle, which is the planet's pole
  double vx = 0, vy = 0;  // meters a second
  std::array<std::int64_t, parts> ids{};
  bool alive = true;
};

class Crowd {
 public:
  explicit Crowd(std::size_t size);

  /// All walk, some teleport, the dead go, and as many people are born.
  sphaera::UpdateResult next_frame();
  /// This person is not there from the next frame on. False for nobody's number, and for the dead.
  bool kill(std::uint32_t number);

  const sphaera::SceneBuffer& buffer() const { return buffer_; }
  const Person& person(std::size_t number) const { return people_[number]; }
  std::uint32_t anyone();  ///< the number of somebody alive
  double random(double low, double high);

 private:
  sphaera::Scene first_scene(std::size_t size);
  void add(sphaera::Scene& scene, std::size_t count);

  std::mt19937_64 bits_;
  std::vector<Person> people_;  // of all times, by number
  std::vector<std::int64_t> dead_ids_;
  std::vector<sphaera::Vec3> centers_, velocities_;  // by id
  sphaera::SceneBuffer buffer_;
};

}  // namespace game
