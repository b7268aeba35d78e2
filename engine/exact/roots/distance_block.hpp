#pragma once
/// \file Signed distances of many points and spheres at once, in the lanes of vector registers.

#include <array>
#include <cstddef>
#include <exact/numbers/instruction_sets.hpp>
#include <exact/roots/distance.hpp>

namespace sphaera::exact {

class DistanceBlock;
SPHAERA_IN_BOTH_SETS(void compute_distances(DistanceBlock& block, std::size_t count);)

/// Points, each with its sphere at rest, as a structure of arrays. The bits are those of `signed_distance`.
class DistanceBlock {
 public:
  static constexpr std::size_t capacity = 32;

  SPHAERA_INLINE void set(std::size_t slot, const Vec3& x, const Sphere& s) {
    x_[slot] = x.x, y_[slot] = x.y, z_[slot] = x.z;
    center_x_[slot] = s.center.x, center_y_[slot] = s.center.y, center_z_[slot] = s.center.z;
    radius_[slot] = s.radius;
  }

  /// Computes the distances of slots 0 … count − 1.
  void compute(std::size_t count);

  /// The distance of a slot after `compute`; a distance that double-double left unknown is computed with
  /// exact integers.
  SPHAERA_INLINE double distance(std::size_t slot) const {
    const double d = distance_[slot];
    if (d == d) [[likely]]
      return d;
    return signed_distance({x_[slot], y_[slot], z_[slot]},
                           {{center_x_[slot], center_y_[slot], center_z_[slot]}, radius_[slot]});
  }

 private:
  friend void fused::compute_distances(DistanceBlock& block, std::size_t count);
  friend void plain::compute_distances(DistanceBlock& block, std::size_t count);

  using Doubles = std::array<double, capacity>;

  Doubles x_, y_, z_, center_x_, center_y_, center_z_, radius_,
      distance_;  // left uninitialized: setting them would slow single queries
};

}  // namespace sphaera::exact
