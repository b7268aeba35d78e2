#pragma once
/// \file A coherent order for a batch of rays: neighbors walk the same nodes while these are in cache. This
/// is the largest single gain on large scenes, where walks are bound by cache misses, not by arithmetic.

#include <algorithm>
#include <array>
#include <base/arena.hpp>
#include <bit>
#include <cstdint>
#include <exact/numbers/dispatch.hpp>
#include <index/boxes/frame.hpp>
#include <span>
#include <vector>

namespace sphaera::query {

/// The section of a ray inside a frame, in world units, relative to any point that its group shares.
struct RaySection {
  Vec3 start, step;
  std::uint32_t group = 0;

  Vec3 end() const { return start + step; }
};

/// Ray starts or ray directions as cells of a grid, numbered along a Z curve.
class RayGrid {
 public:
  static constexpr int most_bits = 16;
  /// The bits of the cell numbers of n rays: about as many cells as rays.
  static int bits_for(std::size_t n, int group_bits) {
    constexpr int least_of_group = 8;
    return std::clamp(static_cast<int>(std::bit_width(n)), std::min(group_bits + least_of_group, most_bits),
                      most_bits);
  }

  static constexpr std::size_t max_samples = 1024;

  /// Fits a grid of 2^bits cells to most of a sample of the batch, of at most `max_samples`; rays outside it
  /// go to the cells at the edge. Cells are of the starts, or of the directions if rays share their start or
  /// their end, as lines of sight to one star do. 2^group_bits groups share the cell numbers; all groups use
  /// the same grid.
  void fit(std::span<const RaySection> sample, int bits, int group_bits = 0);

  bool by_direction() const { return by_direction_; }
  std::uint32_t group_cells() const { return group_cells_; }

  SPHAERA_INLINE std::uint32_t cell(const RaySection& ray) const {
    const Vec3 p = by_direction_ ? direction_of(ray) : ray.start;
    return group_cells_ * ray.group | axes_[0].bits_of(p.x) | axes_[1].bits_of(p.y) | axes_[2].bits_of(p.z);
  }

 private:
  struct Axis {
    double lower = 0, cells_per_unit = 0, last = 0;
    std::vector<std::uint32_t> spread;  // cell on an axis → its bits of the cell number

    SPHAERA_INLINE std::uint32_t bits_of(double x) const {
      const double at = (x - lower) * cells_per_unit;
      return spread[static_cast<std::uint32_t>(at > 0 ? at < last ? at : last : 0)];  // NaN: 0
    }
  };

  /// The octahedral map of a direction to the square [−1, 1]².
  SPHAERA_INLINE static Vec3 direction_of(const RaySection& ray) {
    const auto& [x, y, z] = ray.step;
    const double ax = __builtin_fabs(x), ay = __builtin_fabs(y), sum = ax + ay + __builtin_fabs(z);
    if (!(sum > 0)) return {};
    const double inverse = 1 / sum;
    if (z >= 0) return {x * inverse, y * inverse, 0};
    return {(1 - ay * inverse) * (x < 0 ? -1. : 1.), (1 - ax * inverse) * (y < 0 ? -1. : 1.), 0};
  }

  bool by_direction_ = false;
  std::uint32_t group_cells_ = 0;
  std::array<Axis, 3> axes_;
};

/// Working memory of `coherent_order`.
struct OrderScratch {
  std::vector<RaySection> sample;
  RayGrid grid;
  std::vector<std::uint32_t> cells, next, order;
};

/// Smaller batches and scenes are walked as given: sorting costs about 50 ns per ray, and small scenes stay
/// in cache.
inline constexpr std::size_t least_rays_to_order = 4096, least_spheres_to_order = 20000;

/// For any hit, sorting by direction pays off in smaller scenes, too: the blocker of one line of sight to a
/// star mostly blocks the next (../../index/decisions.md). The sample costs 0.1 ms, which needs a larger
/// batch there.
inline constexpr std::size_t least_rays_by_direction = 1 << 16, least_spheres_by_direction = 5000;

/// Smaller limits for points and balls: the answer to one query bounds that to the next.
inline constexpr std::size_t least_points_to_order = 2048, least_spheres_for_points = 500;

/// The orders that are worth their cost.
enum class SortMode { none, by_direction, any };

inline SortMode order_sought(std::size_t rays, std::size_t spheres, bool any_hit) {
  if (rays >= least_rays_to_order && spheres >= least_spheres_to_order) return SortMode::any;
  if (any_hit && rays >= least_rays_by_direction && spheres >= least_spheres_by_direction)
    return SortMode::by_direction;
  return SortMode::none;
}

/// The permutation that sorts by cell, of 2^bits; stable. It is `scratch.order`; `scratch.cells` has the
/// cells.
std::span<const std::uint32_t> sorted_by_cell(OrderScratch& scratch, int bits);

/// The fields of a RaySection that are needed. If only direction or start is, most rays need no clipping,
/// which saves 10 of 250 ns per ray.
enum class SectionFields { whole, start, direction };

/// The order in which to walk n < 2^32 rays. ray_of(i, wanted, section) clips ray i (false: it misses the
/// frame) and sets its group, one of 2^group_bits; groups are walked one after the other. Empty if the batch
/// is already coherent or has no order of the kind sought. The result lies in `scratch`.
template <class RayOf>
std::span<const std::uint32_t> coherent_order(std::size_t n, SortMode sought, const RayOf& ray_of,
                                              OrderScratch& scratch, int group_bits = 0) {
  if (sought == SortMode::none) return {};
  constexpr std::size_t sample_pairs = RayGrid::max_samples / 2;
  std::vector<RaySection>& sample = scratch.sample;
  sample.clear();
  for (std::size_t pair = 0; pair < sample_pairs; ++pair) {
    const std::size_t i = pair * (n - 1) / sample_pairs;
    RaySection a, b;
    if (ray_of(i, SectionFields::whole, a) && ray_of(i + 1, SectionFields::whole, b))
      sample.push_back(a), sample.push_back(b);
  }
  if (sample.empty()) return {};
  RayGrid& grid = scratch.grid;
  const int bits = RayGrid::bits_for(n, group_bits);
  grid.fit(sample, bits, group_bits);
  if (sought == SortMode::by_direction && !grid.by_direction()) return {};
  // One in 32 random pairs of a group is this close. If half of the sampled pairs are, the batch is already
  // coherent.
  const std::uint32_t close = grid.group_cells() / 64;
  std::size_t together = 0;
  for (std::size_t i = 0; i < sample.size(); i += 2) {
    const std::uint32_t a = grid.cell(sample[i]), b = grid.cell(sample[i + 1]);
    together += std::max(a, b) - std::min(a, b) <= close;
  }
  if (together > sample.size() / 4) return {};

  const SectionFields wanted = grid.by_direction() ? SectionFields::direction : SectionFields::start;
  scratch.cells.resize(n);
  base::parallel_pieces(n, base::cheap_items_per_piece, [&](std::size_t begin, std::size_t end) {
    exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA {
      for (std::size_t i = begin; i < end; ++i) {
        RaySection ray;
        scratch.cells[i] = ray_of(i, wanted, ray) ? grid.cell(ray) : 0;
      }
    });
  });
  return sorted_by_cell(scratch, bits);
}

}  // namespace sphaera::query
