#pragma once
/// \file One sphere relative to a path, as exact sums of doubles.

#include <array>
#include <exact/predicates/path.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::exact {

/// L = origin − center − drift·time. Origin and center are a sum of up to four doubles for each coordinate.
/// The product is the drift of a moving sphere at the bullet's start; it is kept as its factors, since it may
/// underflow. D is a sum of up to two doubles, the radius of up to two; unused terms are 0. All terms are
/// finite. Input of stages 2 and 3.
struct Relative {
  std::array<std::array<double, 4>, 3> offset{};
  std::array<double, 3> drift{};
  double time = 0;
  std::array<std::array<double, 2>, 3> direction{};
  std::array<double, 2> radius{};

  bool operator==(const Relative&) const = default;
};

inline Relative relative(const Path& path, const Sphere& sphere) {
  Relative r;
  for (int i = 0; i < 3; ++i) {
    r.offset[i] = {path.origin[i], -sphere.center[i]};
    r.direction[i] = {path.direction[i], path.direction_low[i]};
  }
  r.radius = {sphere.radius};
  return r;
}

/// The same for a moving sphere at one time.
inline Relative relative(const Path& path, const Sphere& sphere, const Vec3& velocity, double time) {
  Relative r = relative(path, sphere);
  r.drift = {velocity.x, velocity.y, velocity.z};
  r.time = time;
  return r;
}

}  // namespace sphaera::exact
