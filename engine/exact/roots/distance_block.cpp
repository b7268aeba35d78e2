#include <exact/roots/distance_block.hpp>
#include <exact/roots/quick_distance.hpp>

SPHAERA_SET_BEGIN
namespace sphaera::exact::inline SPHAERA_SET {

/// Fills up the last row of lanes with `first`, the point or sphere of slot 0, and its sphere. Returns the
/// number of slots then.
template <class First>
SPHAERA_INLINE std::size_t fill_row(DistanceBlock& block, std::size_t count, const First& first,
                                    const Sphere& sphere) {
  constexpr std::size_t lanes = 8;  // a multiple of the lanes of any processor
  static_assert(DistanceBlock::capacity % lanes == 0);
  const std::size_t end = (count + lanes - 1) / lanes * lanes;
  for (std::size_t i = count; i < end; ++i) block.set(i, first, sphere);
  return end;
}

void compute_distances(DistanceBlock& block, std::size_t count) {
  auto& [x, y, z, center_x, center_y, center_z, radius, own_radius, distance] = block;
  const std::size_t end = fill_row(block, count, block.point(0), block.sphere(0));
  for (std::size_t i = 0; i < end; ++i)
    distance[i] = quick_distance(x[i], y[i], z[i], {{center_x[i], center_y[i], center_z[i]}, radius[i]});
}

void compute_gaps(DistanceBlock& block, std::size_t count) {
  auto& [x, y, z, center_x, center_y, center_z, radius, own_radius, distance] = block;
  const std::size_t end = fill_row(block, count, Sphere{block.point(0), own_radius[0]}, block.sphere(0));
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
