#include <exact/numbers/dispatch.hpp>
#include <exact/roots/distance_block.hpp>
#include <exact/roots/quick_distance.hpp>

namespace sphaera::exact {

template <class Arithmetic>
SPHAERA_INLINE void DistanceBlock::compute_with(std::size_t count) {
  constexpr std::size_t lanes = 8;  // a multiple of the lanes of any processor
  static_assert(capacity % lanes == 0);
  // Computes whole rows; copies of slot 0 fill up the last row.
  const std::size_t end = (count + lanes - 1) / lanes * lanes;
  for (std::size_t i = count; i < end; ++i)
    set(i, {x_[0], y_[0], z_[0]}, {{center_x_[0], center_y_[0], center_z_[0]}, radius_[0]});
  for (std::size_t i = 0; i < end; ++i)
    distance_[i] = quick_distance<Arithmetic>(x_[i], y_[i], z_[i],
                                              {{center_x_[i], center_y_[i], center_z_[i]}, radius_[i]});
}

void DistanceBlock::compute(std::size_t count) {
  with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA { compute_with<decltype(arithmetic)>(count); });
}

}  // namespace sphaera::exact
