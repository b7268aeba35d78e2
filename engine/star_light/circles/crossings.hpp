#pragma once
/// \file Crossings of several pairs of circles, computed together. Every instruction set gives the same bits.

#include <array>
#include <star_light/circles/circle_pair.hpp>

namespace sphaera::star_light {

/// Up to `most` pairs of circles that cross, and where. On the second circle the covered part begins where
/// the first one's ends.
struct Crossings {
  static constexpr int most = 16;
  using Column = std::array<double, most>;

  struct Circles {
    Column toward_x{}, toward_y{}, curvature{}, scale{};

    void put(int i, const SkyCircle& circle) {
      toward_x[i] = circle.toward.x, toward_y[i] = circle.toward.y;
      curvature[i] = circle.curvature, scale[i] = circle.scale;
    }
  };
  struct Parts {
    Column start{}, end{};  ///< parameter t
    Column excess{};        ///< > 0: the part is more than half of the circle
  };

  int count = 0;
  std::array<int, most> pair{};  ///< the caller's number
  alignas(64) Circles first, second;
  Column between_x{}, between_y{}, sine2{};
  Parts on_first, on_second;  ///< the parts that the other circle's disc covers

  void put(int number, const SkyCircle& a, const SkyCircle& b, Vec2 between, double sine_squared) {
    const int i = count++;
    pair[i] = number, first.put(i, a), second.put(i, b);
    between_x[i] = between.x, between_y[i] = between.y, sine2[i] = sine_squared;
  }
  /// Sets the parts. Precondition: the first circle of each pair is the more curved one.
  void compute();
};

}  // namespace sphaera::star_light
