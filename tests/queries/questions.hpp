#pragma once
/// \file What the queries of a scene are asked about.

#include <cstddef>
#include <limits>
#include <sphaera/sphaera.hpp>
#include <type_traits>
#include <vector>

namespace sphaera::test {

/// The inputs of all queries. Query i of a batch is about item i of its vector.
struct Questions {
  std::vector<Ray> rays;
  std::vector<Segment> segments;
  std::vector<Vec3> points;
  std::vector<Ball> balls;
  std::vector<Bullet> bullets;  ///< fly straight
  std::vector<Bullet> fallers;  ///< fly under gravity
  std::vector<Observer> observers;
  std::vector<Receiver> receivers;
  std::vector<SkyPoint> skies;

  // The same for all queries of a batch.
  std::size_t k = 3;  ///< neighbors of a point or sphere
  /// nearest_to_spheres is asked about so many spheres, the first ones; about all, without ids, if the scene
  /// has no more.
  std::size_t spheres = std::numeric_limits<std::size_t>::max();
  double max_distance = 1;                       ///< of a near miss
  SkyOptions sky{.most_discs = 64, .rays = 32};  ///< some points are sampled
  std::vector<Vec3> targets;                     ///< of `visibility`
  FlightOptions flight{};  ///< without gravity; what its spans show must outlive the questions
  std::vector<Star> stars;
  std::vector<Source> sources;
  Vec3 gravity{0, 0, -9.8};     ///< of the fallers,
  std::vector<Vec3> gravities;  ///< or one for each of them

  template <class Input>
  std::vector<Input>& of() {
    if constexpr (std::is_same_v<Input, Ray>)
      return rays;
    else if constexpr (std::is_same_v<Input, Segment>)
      return segments;
    else if constexpr (std::is_same_v<Input, Vec3>)
      return points;
    else if constexpr (std::is_same_v<Input, Ball>)
      return balls;
    else if constexpr (std::is_same_v<Input, Bullet>)
      return bullets;
    else if constexpr (std::is_same_v<Input, Observer>)
      return observers;
    else if constexpr (std::is_same_v<Input, Receiver>)
      return receivers;
    else if constexpr (std::is_same_v<Input, SkyPoint>)
      return skies;
  }
  template <class Input>
  const std::vector<Input>& of() const {
    return const_cast<Questions&>(*this).of<Input>();
  }

  FlightOptions falling() const {
    FlightOptions options = flight;
    options.gravity = gravity, options.gravities = gravities;
    return options;
  }
};

/// Questions of everyday size along the rays: a segment of 100 directions and a bullet of speed 30 for each,
/// and about their first `others` origins all else. The first origin and a few ends are the targets. One
/// star, which is a source, far above.
Questions questions_along(std::vector<Ray> rays, std::size_t others);

}  // namespace sphaera::test
