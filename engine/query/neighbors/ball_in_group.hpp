#pragma once
/// \file The spheres that meet one ball, found among those gathered about its group.

#include <index/boxes/lanes.hpp>
#include <query/batch/spheres_at_time.hpp>
#include <query/neighbors/point_groups.hpp>

namespace sphaera::query {

/// The ids of the spheres that meet a ball, in the order of the gathered ones.
class BallInGroup {
 public:
  /// Finds them, without the ignored sphere (−1: none). `local` is the ball's center in the index's top
  /// frame.
  template <class Arithmetic>
  SPHAERA_INLINE void find(const NearbySpheres& nearby, const Ball& ball, const index::LocalPoint& local,
                           const SpheresAtTime& at_rest, std::int64_t ignored, exact::Counts& counts) {
    const float radius = local.local_radius(ball.radius), inner = index::inner_radius(local, ball.radius),
                margin = static_cast<float>(local.margin);
    size_ = 0, candidates_ = 0;
    for (std::size_t i = 0; i < nearby.blocks(); ++i) {
      const index::LeafBlock& block = nearby.block(i);
      index::LeafLanes squares;
      index::LaneSet maybe = index::reached<Arithmetic>(block, local.position, radius, squares);
      maybe &= ~nearby.lanes_with<Arithmetic>(i, ignored);
      candidates_ += static_cast<std::uint64_t>(std::popcount(maybe));
      index::LaneSet met = maybe & index::reached_surely<Arithmetic>(block, squares, margin, inner);
      for (index::LaneSet open = maybe & ~met; open != 0; open &= open - 1) {
        const std::uint32_t id = nearby.ids(i)[static_cast<std::size_t>(std::countr_zero(open))];
        if (at_rest.sign_gap(ball, id, counts) <= 0) met |= open & -open;
      }
      index::LeafLanes ids;
      std::memcpy(&ids, &nearby.ids(i), sizeof ids);
      index::write_lanes<Arithmetic>(&ids_[size_], ids, index::lane_lists.ascending[met]);
      size_ += static_cast<std::size_t>(std::popcount(met));
    }
  }

  std::span<const std::uint32_t> ids() const { return std::span(ids_).first(size_); }

  std::uint64_t candidates() const { return candidates_; }

 private:
  std::uint64_t candidates_ = 0;
  std::size_t size_ = 0;
  std::array<std::uint32_t, index::GatheredSpheres::most + index::leaf_block_size> ids_;
};

}  // namespace sphaera::query
