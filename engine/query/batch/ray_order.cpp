#include <algorithm>
#include <cmath>
#include <numeric>
#include <query/batch/ray_order.hpp>
#include <utility>

namespace sphaera::query {
namespace {

/// The box of most of a sample, without a fiftieth at either end of each axis.
struct Box {
  Vec3 lower, upper;

  template <class PointOf>
  Box(std::span<const RaySection> sample, const PointOf& point_of) {
    std::array<double, RayGrid::max_samples> x;
    const std::size_t outside = sample.size() / 50;
    const auto along = [&](auto axis, double& low, double& high) {
      double* const end = std::transform(sample.begin(), sample.end(), x.data(),
                                         [&](const RaySection& ray) { return point_of(ray).*axis; });
      double *const first = x.data() + outside, *const last = end - 1 - outside;
      std::nth_element(x.data(), first, end);
      low = *first;
      std::nth_element(x.data(), last, end);
      high = *last;
    };
    along(&Vec3::x, lower.x, upper.x), along(&Vec3::y, lower.y, upper.y), along(&Vec3::z, lower.z, upper.z);
  }
  Vec3 size() const { return upper - lower; }
  double largest() const { return std::max({size().x, size().y, size().z}); }
};

}  // namespace

void RayGrid::fit(std::span<const RaySection> sample, int bits, int group_bits) {
  group_cells_ = 1u << (bits - group_bits);
  const Box starts(sample, [](const RaySection& ray) { return ray.start; }),
      ends(sample, [](const RaySection& ray) { return ray.end(); }), directions(sample, direction_of);
  constexpr double shared = 1. / 16;
  by_direction_ =
      std::min(starts.largest(), ends.largest()) < shared * std::max(starts.largest(), ends.largest());
  const Box& box = by_direction_ ? directions : starts;

  // Halve the longest side of a cell until there are as many cells as a group has. The first halving sets
  // the highest bit.
  std::array<double, 3> side{box.size().x, box.size().y, box.size().z};
  struct CellBits {
    std::array<int, most_bits> bit;
    std::size_t size = 0;
  };
  std::array<CellBits, 3> bits_of;  // of the cell number, highest first
  for (int bit = bits - group_bits - 1; bit >= 0; --bit) {
    const auto longest = static_cast<std::size_t>(std::max_element(side.begin(), side.end()) - side.begin());
    CellBits& mine = bits_of[longest];
    mine.bit[mine.size++] = bit;
    side[longest] /= 2;
  }
  for (int i = 0; i < 3; ++i) {
    Axis& axis = axes_[static_cast<std::size_t>(i)];
    const CellBits& mine = bits_of[static_cast<std::size_t>(i)];
    const std::size_t cells = std::size_t{1} << mine.size;
    axis.lower = box.lower[i];
    axis.last = static_cast<double>(cells - 1);
    axis.cells_per_unit = box.size()[i] > 0 ? static_cast<double>(cells) / box.size()[i] : 0;
    axis.spread.assign(cells, 0);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      for (std::size_t b = 0; b < mine.size; ++b) {
        const std::size_t set = cell >> (mine.size - 1 - b) & 1;
        axis.spread[cell] |= static_cast<std::uint32_t>(set) << mine.bit[b];
      }
    }
  }
}

namespace {

/// A sort by counting, in slices of the batch. A slice has a row: of each cell the number of its rays, then
/// the place of the next of them in the order.
class CellCounts {
 public:
  CellCounts(std::vector<std::uint32_t>& memory, std::size_t rays, std::size_t cells)
      : cells_(cells),
        slices_(
            std::clamp<std::size_t>(rays / rays_a_slice, 1, std::min(base::thread_numbers(), most_slices))),
        slice_(std::max<std::size_t>(1, (rays + slices_ - 1) / slices_)),
        stride_(cells + 16),  // not a power of two: rows share no cache sets
        rows_(memory) {
    rows_.assign(slices_ * stride_, 0);
  }

  std::size_t slice() const { return slice_; }
  /// The row of the slice that begins at this ray.
  std::uint32_t* row(std::size_t begin) { return rows_.data() + begin / slice_ * stride_; }

  void make_places() {
    std::array<std::uint32_t, most_slices> totals{};
    const std::size_t part = (cells_ + slices_ - 1) / slices_;
    if (slices_ > 1) {
      base::parallel_pieces(cells_, part, [&](std::size_t begin, std::size_t end) {
        std::uint32_t total = 0;
        for_each(begin, end, [&](std::uint32_t& count) { total += count; });
        totals[begin / part] = total;
      });
      std::exclusive_scan(totals.begin(), totals.end(), totals.begin(), 0u);
    }
    base::parallel_pieces(cells_, part, [&](std::size_t begin, std::size_t end) {
      std::uint32_t place = totals[begin / part];
      for_each(begin, end, [&](std::uint32_t& count) { place += std::exchange(count, place); });
    });
  }

 private:
  static constexpr std::size_t rays_a_slice = 1 << 15, most_slices = 64;

  template <class Use>
  void for_each(std::size_t begin, std::size_t end, const Use& use) {
    for (std::size_t cell = begin; cell < end; ++cell)
      for (std::size_t s = 0; s < slices_; ++s) use(rows_[s * stride_ + cell]);
  }

  std::size_t cells_, slices_, slice_, stride_;
  std::vector<std::uint32_t>& rows_;
};

}  // namespace

std::span<const std::uint32_t> sorted_by_cell(OrderScratch& scratch, int bits) {
  const std::span<const std::uint32_t> cells = scratch.cells;
  CellCounts counts(scratch.next, cells.size(), std::size_t{1} << bits);
  base::parallel_pieces(cells.size(), counts.slice(), [&](std::size_t begin, std::size_t end) {
    std::uint32_t* const row = counts.row(begin);
    for (std::size_t i = begin; i < end; ++i) ++row[cells[i]];
  });
  counts.make_places();
  std::vector<std::uint32_t>& order = scratch.order;
  order.resize(cells.size());
  base::parallel_pieces(cells.size(), counts.slice(), [&](std::size_t begin, std::size_t end) {
    std::uint32_t* const row = counts.row(begin);
    for (std::size_t i = begin; i < end; ++i) order[row[cells[i]]++] = static_cast<std::uint32_t>(i);
  });
  return order;
}

}  // namespace sphaera::query
