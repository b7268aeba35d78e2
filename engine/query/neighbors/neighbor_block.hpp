#pragma once
/// \file Neighbors whose distances are still to be computed. A batch gathers them and computes many at once,
/// at a tenth of the cost of one by one.

#include <array>
#include <exact/roots/distance_block.hpp>
#include <span>
#include <sphaera/hit.hpp>

namespace sphaera::query {

/// Gathers neighbors, each with its place in an array. Writes their distances when it is full and on `write`.
class NeighborBlock {
 public:
  explicit NeighborBlock(const Sphere* spheres) : spheres_(spheres) {}

  /// Writes neighbors[place] except its distance. `neighbors` is the current array; it may have moved since
  /// the last call.
  SPHAERA_INLINE void add(const Vec3& point, std::uint32_t sphere, Neighbor* neighbors, std::size_t place) {
    neighbors[place].sphere = sphere;
    distances_.set(count_, point, spheres_[sphere]);
    places_[count_] = place;
    if (++count_ == places_.size()) write(neighbors);
  }

  void write(Neighbor* neighbors) {
    distances_.compute(count_);
    for (std::size_t i = 0; i < count_; ++i) neighbors[places_[i]].distance = distances_.distance(i);
    count_ = 0;
  }

 private:
  const Sphere* spheres_;
  exact::DistanceBlock distances_;
  std::array<std::size_t, exact::DistanceBlock::capacity> places_;
  std::size_t count_ = 0;
};

}  // namespace sphaera::query
