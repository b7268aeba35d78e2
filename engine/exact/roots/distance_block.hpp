#pragma once
/// \file Signed distances of many points and spheres at once, and gaps of many pairs of spheres, in the lanes
/// of vector registers.

#include <array>
#include <cstddef>
#include <exact/numbers/instruction_sets.hpp>
#include <exact/roots/distance.hpp>

namespace sphaera::exact {

class DistanceBlock;
SPHAERA_IN_BOTH_SETS(void compute_distances(DistanceBlock& block, std::size_t count);)
SPHAERA_IN_BOTH_SETS(void compute_gaps(DistanceBlock& block, std::size_t count);)

/// Points or spheres, each with its sphere at rest, as a structure of arrays. The bits are those of
/// `signed_distance` and `gap`.
class DistanceBlock {
 public:
  static constexpr std::size_t capacity = 32;

  SPHAERA_INLINE void set(std::size_t slot, const Vec3& x, const Sphere& s) {
    x_[slot] = x.x, y_[slot] = x.y, z_[slot] = x.z;
    center_x_[slot] = s.center.x, center_y_[slot] = s.center.y, center_z_[slot] = s.center.z;
    radius_[slot] = s.radius;
  }

  SPHAERA_INLINE void set(std::size_t slot, const Sphere& own, const Sphere& s) {
    set(slot, own.center, s);
    own_radius_[slot] = own.radius;
  }

  /// Computes the distances, or the gaps, of slots 0 … count − 1: all slots hold points, or all hold spheres.
  void compute(std::size_t count);
  void compute_gaps(std::size_t count);

  /// The distance or gap of a slot after that; one that double-double left unknown is computed with exact
  /// integers.
  SPHAERA_INLINE double distance(std::size_t slot) const {
    const double d = distance_[slot];
    if (d == d) [[likely]]
      return d;
    return signed_distance(point(slot), sphere(slot));
  }
  SPHAERA_INLINE double gap(std::size_t slot) const {
    const double d = distance_[slot];
    if (d == d) [[likely]]
      return d;
    const auto& [center, radius] = sphere(slot);
    return exact::gap({point(slot), own_radius_[slot]}, {center, radius});
  }

 private:
  friend void fused::compute_distances(DistanceBlock& block, std::size_t count);
  friend void plain::compute_distances(DistanceBlock& block, std::size_t count);
  friend void fused::compute_gaps(DistanceBlock& block, std::size_t count);
  friend void plain::compute_gaps(DistanceBlock& block, std::size_t count);

  using Doubles = std::array<double, capacity>;

  Vec3 point(std::size_t slot) const { return {x_[slot], y_[slot], z_[slot]}; }
  Sphere sphere(std::size_t slot) const {
    return {{center_x_[slot], center_y_[slot], center_z_[slot]}, radius_[slot]};
  }

  Doubles x_, y_, z_, center_x_, center_y_, center_z_, radius_, own_radius_,
      distance_;  // left uninitialized: setting them would slow single queries
};

}  // namespace sphaera::exact
