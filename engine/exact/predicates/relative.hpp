#pragma once
/// \file One sphere relative to a path, as exact sums of doubles.

#include <array>
#include <exact/predicates/path.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::exact {

/// Input of stages 2 and 3. L = offset − drift·time. `offset` is origin − center, a sum of up to four doubles
/// on each axis. drift·time is how far a moving sphere has moved until `time`; its factors are kept, since
/// the product may underflow. D and the radius are sums of up to two doubles. Unused terms are 0, all terms
/// are finite.
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
