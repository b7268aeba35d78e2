#include <exact/numbers/dispatch.hpp>
#include <exact/roots/distance_block.hpp>
#include <exact/roots/quick_distance.hpp>

namespace sphaera::exact {

template <class Arithmetic>
SPHAERA_INLINE void DistanceBlock::compute_with(std::size_t count) {
  constexpr std::size_t lanes = 8;  // a multiple of the lanes of any processor
  static_assert(capacity % lanes == 0);
  using Number = Bounded<Arithmetic>;
  // Computes whole rows: the values in unused slots do not matter.
  const std::size_t end = (count + lanes - 1) / lanes * lanes;
  for (std::size_t i = 0; i < end; ++i) {
    const Number x(two_diff(x_[i], center_x_[i])), y(two_diff(y_[i], center_y_[i])),
        z(two_diff(z_[i], center_z_[i]));
    distance_[i] = quick_distance(x, y, z, Number(radius_[i]));
  }
}

void DistanceBlock::compute(std::size_t count) {
  with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA { compute_with<decltype(arithmetic)>(count); });
}

}  // namespace sphaera::exact
