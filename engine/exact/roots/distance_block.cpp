#include <exact/roots/distance_block.hpp>
#include <exact/roots/quick_distance.hpp>

SPHAERA_SET_BEGIN
namespace sphaera::exact::inline SPHAERA_SET {

void compute_distances(DistanceBlock& block, std::size_t count) {
  constexpr std::size_t lanes = 8;  // a multiple of the lanes of any processor
  static_assert(DistanceBlock::capacity % lanes == 0);
  auto& [x, y, z, center_x, center_y, center_z, radius, distance] = block;
  // Computes whole rows; copies of slot 0 fill up the last row.
  const std::size_t end = (count + lanes - 1) / lanes * lanes;
  for (std::size_t i = count; i < end; ++i)
    block.set(i, {x[0], y[0], z[0]}, {{center_x[0], center_y[0], center_z[0]}, radius[0]});
  for (std::size_t i = 0; i < end; ++i)
    distance[i] = quick_distance(x[i], y[i], z[i], {{center_x[i], center_y[i], center_z[i]}, radius[i]});
}

}  // namespace sphaera::exact::inline SPHAERA_SET
SPHAERA_SET_END

#if SPHAERA_ONCE
namespace sphaera::exact {

void DistanceBlock::compute(std::size_t count) { SPHAERA_CHOSEN(compute_distances(*this, count)); }

}  // namespace sphaera::exact
#endif
