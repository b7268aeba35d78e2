#include <exact/roots/distance_block.hpp>
#include <exact/roots/quick_distance.hpp>

SPHAERA_SET_BEGIN
namespace sphaera::exact::inline SPHAERA_SET {

void compute_distances(DistanceBlock& block, std::size_t count) {
  auto& [x, y, z, center_x, center_y, center_z, radius, own_radius, distance] = block;
  const std::size_t end = block.fill_row(count, block.point(0));
  for (std::size_t i = 0; i < end; ++i)
    distance[i] = quick_distance(x[i], y[i], z[i], {{center_x[i], center_y[i], center_z[i]}, radius[i]});
}

void compute_gaps(DistanceBlock& block, std::size_t count) {
  auto& [x, y, z, center_x, center_y, center_z, radius, own_radius, distance] = block;
  const std::size_t end = block.fill_row(count, Sphere{block.point(0), own_radius[0]});
  for (std::size_t i = 0; i < end; ++i)
    distance[i] =
        quick_gap(x[i], y[i], z[i], own_radius[i], {{center_x[i], center_y[i], center_z[i]}, radius[i]});
}

}  // namespace sphaera::exact::inline SPHAERA_SET
SPHAERA_SET_END

#if SPHAERA_ONCE
namespace sphaera::exact {

void DistanceBlock::compute(std::size_t count) { SPHAERA_CHOSEN(compute_distances(*this, count)); }
void DistanceBlock::compute_gaps(std::size_t count) { SPHAERA_CHOSEN(compute_gaps(*this, count)); }

}  // namespace sphaera::exact
#endif
