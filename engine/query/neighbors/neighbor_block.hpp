#pragma once
/// \file Neighbors whose distances are still to be computed. A batch gathers them and computes many at once,
/// at a tenth of the cost of one by one.

#include <array>
#include <exact/roots/distance_block.hpp>
#include <query/batch/batch.hpp>
#include <query/batch/spheres_at_time.hpp>
#include <sphaera/hit.hpp>

namespace sphaera::query {

/// Gathers neighbors of points, or of spheres (`Own`), each with its place in an array. Writes their
/// distances, or gaps, when it is full and on `write`.
template <class Own>
class NeighborBlock {
 public:
  explicit NeighborBlock(const Sphere* spheres) : spheres_(spheres) {}

  /// Writes neighbors[place] except its distance. `neighbors` is the current array; it may have moved since
  /// the last call. `own` must live until the block is written.
  SPHAERA_INLINE void add(const Own& own, std::uint32_t sphere, Neighbor* neighbors, std::size_t place) {
    neighbors[place].sphere = sphere;
    prefetch(spheres_[sphere]);
    entries_[count_] = {&own, sphere, place};
    if (++count_ == entries_.size()) write(neighbors);
  }

  void write(Neighbor* neighbors) {
    for (std::size_t i = 0; i < count_; ++i)
      distances_.set(i, *entries_[i].own, spheres_[entries_[i].sphere]);
    constexpr bool of_points = std::is_same_v<Own, Vec3>;
    of_points ? distances_.compute(count_) : distances_.compute_gaps(count_);
    for (std::size_t i = 0; i < count_; ++i)
      neighbors[entries_[i].place].distance = of_points ? distances_.distance(i) : distances_.gap(i);
    count_ = 0;
  }

 private:
  struct Entry {
    const Own* own;
    std::uint32_t sphere;
    std::size_t place;
  };

  const Sphere* spheres_;
  exact::DistanceBlock distances_;
  std::array<Entry, exact::DistanceBlock::capacity> entries_;
  std::size_t count_ = 0;
};

}  // namespace sphaera::query
