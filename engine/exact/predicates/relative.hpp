#pragma once
/// \file One sphere as seen from a path, as exact sums of doubles.

#include <array>
#include <exact/predicates/path.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::exact {

/// L = origin − center − drift·time: the origin and centre as a sum of up to four doubles a coordinate, the
/// product, what a moving sphere has drifted by when a bullet starts, kept as its factors, since it may
/// underflow; D up to two doubles, radius up to two; unused terms are 0. All terms finite. Stages 2 and 3
/// work on this.
struct Relative {
  std::array<std::array<double, 4>, 3> offset{};
  std::array<double, 3> drift{};
  double time = 0;
  std::array<std::array<double, 2>, 3> direction{};
  std::array<double, 2> radius{};
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

}  // namespace sphaera::exact
