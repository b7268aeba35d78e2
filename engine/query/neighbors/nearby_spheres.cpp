#include <base/strict_math.hpp>
#include <cstring>
#include <limits>
#include <query/neighbors/nearby_spheres.hpp>
#include <utility>

namespace sphaera::query {

/// A radix sort, byte by byte from the lowest, of the bytes that differ. Comparisons of a few hundred ids in
/// random order would be mispredicted half of the time.
void NearbySpheres::sort_by_id() {
  constexpr std::uint32_t bits = 8, values = 1 << bits;
  std::uint32_t all = 0, common = ~0u;
  const std::size_t n = size();
  for (std::uint32_t i = 0; i < n; ++i) {
    sorted_[i] = {gathered_.ids[i], i};
    all |= gathered_.ids[i], common &= gathered_.ids[i];
  }
  for (std::uint32_t shift = 0; (all ^ common) >> shift != 0; shift += bits) {
    const auto byte_of = [&](const Place& place) { return place.id >> shift & (values - 1); };
    if (((all ^ common) >> shift & (values - 1)) == 0) continue;
    std::array<std::uint32_t, values> next{};
    for (std::size_t i = 0; i < n; ++i) ++next[byte_of(sorted_[i])];
    std::uint32_t total = 0;
    for (std::uint32_t& count : next) total += std::exchange(count, total);
    for (std::size_t i = 0; i < n; ++i) sort_buffer_[next[byte_of(sorted_[i])]++] = sorted_[i];
    std::copy_n(sort_buffer_.begin(), n, sorted_.begin());
    if (shift + bits == 32) break;
  }
}

void NearbySpheres::put_into_blocks(Order order) {
  const index::GatheredSpheres& g = gathered_;
  if (order == Order::any) {
    for (std::size_t i = 0; i < blocks(); ++i) {
      const auto copy = [&](auto& to, const auto& from) { std::memcpy(&to, &from[i * width], sizeof to); };
      index::LeafBlock& block = blocks_[i];
      copy(block.x, g.x), copy(block.y, g.y), copy(block.z, g.z), copy(block.radius, g.radius);
      copy(ids_[i], g.ids);
    }
  } else {
    for (std::size_t i = 0; i < g.size; ++i) {
      index::LeafBlock& block = blocks_[i / width];
      const std::size_t lane = i % width, from = sorted_[i].at;
      block.x[lane] = g.x[from], block.y[lane] = g.y[from], block.z[lane] = g.z[from];
      block.radius[lane] = g.radius[from];
      ids_[i / width][lane] = g.ids[from];
    }
  }
  for (std::size_t i = g.size; i < blocks() * width; ++i) {
    blocks_[i / width].radius[i % width] = std::numeric_limits<float>::quiet_NaN();
    ids_[i / width][i % width] = index::no_sphere;
  }
}

}  // namespace sphaera::query
