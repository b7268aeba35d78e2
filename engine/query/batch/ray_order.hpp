#pragma once
/// \file A coherent order for a batch of rays: neighbours walk the same nodes while these are in cache. The
/// largest single gain on large scenes, since a walk is bound by cache misses, not by arithmetic.

#include <array>
#include <base/arena.hpp>
#include <cstdint>
#include <exact/numbers/dispatch.hpp>
#include <index/frames/frame.hpp>
#include <span>
#include <vector>

namespace sphaera::query {

/// The part of a ray inside a frame, in world units, about any point of a group's own.
struct RayPart {
  Vec3 start, step;
  std::uint32_t group = 0;

  Vec3 end() const { return start + step; }
};

/// Where rays start, or where they head, as cells of a grid that is numbered along a Z curve.
class RayCells {
 public:
  static constexpr int bits = 16;
  static constexpr std::uint32_t count = 1u << bits;

  /// Fitted to most of a sample of the batch (what lies outside goes to the cells at the edge): cells of the
  /// starts; of the directions where rays share their start or their end, as lines of sight to one star do.
  /// Groups of 2^group_bits share the numbers out, and the grid.
  explicit RayCells(std::span<const RayPart> sample, int group_bits = 0);

  bool by_direction() const { return by_direction_; }
  std::uint32_t group_cells() const { return group_cells_; }

  SPHAERA_INLINE std::uint32_t cell(const RayPart& ray) const {
    const Vec3 p = by_direction_ ? direction_of(ray) : ray.start;
    return group_cells_ * ray.group | axes_[0].bits_of(p.x) | axes_[1].bits_of(p.y) | axes_[2].bits_of(p.z);
  }

 private:
  struct Axis {
    double lower = 0, cells_per_unit = 0, last = 0;
    std::vector<std::uint32_t> spread;  // an axis' cell → its bits of the number

    SPHAERA_INLINE std::uint32_t bits_of(double x) const {
      const double at = (x - lower) * cells_per_unit;
      return spread[static_cast<std::uint32_t>(at > 0 ? at < last ? at : last : 0)];  // NaN: 0
    }
  };

  /// The octahedral map of a direction to the square [−1, 1]².
  SPHAERA_INLINE static Vec3 direction_of(const RayPart& ray) {
    const auto& [x, y, z] = ray.step;
    const double ax = __builtin_fabs(x), ay = __builtin_fabs(y), sum = ax + ay + __builtin_fabs(z);
    if (!(sum > 0)) return {};
    const double inverse = 1 / sum;
    if (z >= 0) return {x * inverse, y * inverse, 0};
    return {(1 - ay * inverse) * (x < 0 ? -1. : 1.), (1 - ax * inverse) * (y < 0 ? -1. : 1.), 0};
  }

  bool by_direction_ = false;
  std::uint32_t group_cells_;
  std::array<Axis, 3> axes_;
};

/// Below these a batch is walked as given: sorting costs about 50 ns a ray, and small scenes stay in cache.
inline constexpr std::size_t least_rays_to_order = 4096, least_spheres_to_order = 20000;

/// By direction it pays in smaller scenes, too, for any hit: what blocks one line of sight to a star mostly
/// blocks the next (belt 1e4: 206 instead of 263 ns a ray; BVH at 4e3; a first hit gains nothing). There
/// the sample, 0.1 ms, asks for a larger batch.
inline constexpr std::size_t least_rays_by_direction = 1 << 16, least_spheres_by_direction = 5000;

/// Which order is worth its cost.
enum class OrderSought { none, by_direction, any };

inline OrderSought order_sought(std::size_t rays, std::size_t spheres, bool any_hit) {
  if (rays >= least_rays_to_order && spheres >= least_spheres_to_order) return OrderSought::any;
  if (any_hit && rays >= least_rays_by_direction && spheres >= least_spheres_by_direction)
    return OrderSought::by_direction;
  return OrderSought::none;
}

/// The permutation that sorts by cell, stable.
std::vector<std::uint32_t> sorted_by_cell(std::span<const std::uint32_t> cells);

/// Of a RayPart: where only its direction or its start is wanted, most rays need not be clipped, which saves
/// 10 of 250 ns a ray.
enum class PartWanted { whole, start, direction };

/// The order in which to walk n rays. ray_of(i, wanted, part) clips the i-th (false: it misses the frame),
/// and says which of 2^group_bits groups it belongs to: groups are walked one after the other. Empty where
/// the batch is coherent as it is, or of no order that is sought. n < 2^32.
template <class RayOf>
std::vector<std::uint32_t> coherent_order(std::size_t n, OrderSought sought, const RayOf& ray_of,
                                          int group_bits = 0) {
  if (sought == OrderSought::none) return {};
  constexpr std::size_t sample_pairs = 512;
  std::vector<RayPart> sample;
  for (std::size_t pair = 0; pair < sample_pairs; ++pair) {
    const std::size_t i = pair * (n - 1) / sample_pairs;
    RayPart a, b;
    if (ray_of(i, PartWanted::whole, a) && ray_of(i + 1, PartWanted::whole, b))
      sample.insert(sample.end(), {a, b});
  }
  if (sample.empty()) return {};
  const RayCells cells(sample, group_bits);
  if (sought == OrderSought::by_direction && !cells.by_direction()) return {};
  // Random pairs of a group lie this close in one case of 32; where half of them do, the batch is coherent
  // already.
  const std::uint32_t close = cells.group_cells() / 64;
  std::size_t together = 0;
  for (std::size_t i = 0; i < sample.size(); i += 2) {
    const std::uint32_t a = cells.cell(sample[i]), b = cells.cell(sample[i + 1]);
    together += std::max(a, b) - std::min(a, b) <= close;
  }
  if (together > sample.size() / 4) return {};

  const PartWanted wanted = cells.by_direction() ? PartWanted::direction : PartWanted::start;
  std::vector<std::uint32_t> cell(n);
  base::parallel_pieces(n, 1 << 14, [&](std::size_t begin, std::size_t end) {
    exact::with_arithmetic([&](auto) SPHAERA_INLINE_LAMBDA {
      for (std::size_t i = begin; i < end; ++i) {
        RayPart ray;
        cell[i] = ray_of(i, wanted, ray) ? cells.cell(ray) : 0;
      }
    });
  });
  return sorted_by_cell(cell);
}

}  // namespace sphaera::query
