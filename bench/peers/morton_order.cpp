#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <bench/peers/morton_order.hpp>
#include <cmath>
#include <functional>
#include <limits>

namespace sphaera::bench {
namespace {

constexpr float no_bound = std::numeric_limits<float>::infinity();

/// A box of floats.
struct Bounds {
  float low[3] = {no_bound, no_bound, no_bound}, high[3] = {-no_bound, -no_bound, -no_bound};

  void add(const Vec3& p) {
    const float at[3] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], at[k]), high[k] = std::max(high[k], at[k]);
  }
  void add(const Bounds& other) {
    for (int k = 0; k < 3; ++k)
      low[k] = std::min(low[k], other.low[k]), high[k] = std::max(high[k], other.high[k]);
  }
  float size() const { return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]}); }
};

struct BatchBounds {
  Bounds origins, ends;

  void add(const BatchBounds& other) { origins.add(other.origins), ends.add(other.ends); }
};

Vec3 unit_direction(const Ray& ray) {
  return 1 / std::sqrt(dot(ray.direction, ray.direction)) * ray.direction;
}

/// Adds items 0 … n − 1 to bounds, in parallel.
template <class AnyBounds, class Add>
AnyBounds bounds_of(std::size_t n, const Add& add) {
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, n, 4096), AnyBounds{},
      [&](const auto& range, AnyBounds bounds) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) add(bounds, i);
        return bounds;
      },
      [](AnyBounds a, const AnyBounds& b) { return a.add(b), a; });
}

/// Spreads the 10 bits of x to every third bit.
std::uint32_t spread(std::uint32_t x) {
  x = (x | x << 16) & 0x030000ff;
  x = (x | x << 8) & 0x0300f00f;
  x = (x | x << 4) & 0x030c30c3;
  return (x | x << 2) & 0x09249249;
}

/// Codes of places in a box.
class Coder {
 public:
  explicit Coder(const Bounds& bounds) : bounds_(bounds) {
    for (int k = 0; k < 3; ++k) {
      const float size = bounds.high[k] - bounds.low[k];
      scale_[k] = size > 0 ? 1023.99f / size : 0;
    }
  }
  std::uint32_t operator()(const Vec3& p) const {
    const float at[3] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    std::uint32_t code = 0;
    for (int k = 0; k < 3; ++k)
      code = code << 1 | spread(static_cast<std::uint32_t>((at[k] - bounds_.low[k]) * scale_[k]));
    return code;
  }

 private:
  Bounds bounds_;
  float scale_[3];
};

constexpr int digit_bits = 10, digits = 3;
constexpr std::size_t radix = std::size_t{1} << digit_bits;

std::size_t digit_of(std::uint64_t key, int pass) { return key >> (32 + digit_bits * pass) & (radix - 1); }

/// Sorts by one digit: each chunk counts, the counts become places, each chunk writes.
void sort_by_digit(std::span<const std::uint64_t> from, std::span<std::uint64_t> to, int pass,
                   std::size_t chunks, std::vector<std::uint32_t>& counts) {
  const std::size_t n = from.size();
  const auto chunk = [&](std::size_t k) {
    return from.subspan(n * k / chunks, n * (k + 1) / chunks - n * k / chunks);
  };
  counts.assign(chunks * radix, 0);
  tbb::parallel_for(std::size_t{0}, chunks, [&](std::size_t k) {
    for (const std::uint64_t key : chunk(k)) ++counts[k * radix + digit_of(key, pass)];
  });
  std::uint32_t place = 0;
  for (std::size_t digit = 0; digit < radix; ++digit)
    for (std::size_t k = 0; k < chunks; ++k) {
      std::uint32_t& count = counts[k * radix + digit];
      place += count, count = place - count;
    }
  tbb::parallel_for(std::size_t{0}, chunks, [&](std::size_t k) {
    for (const std::uint64_t key : chunk(k)) to[counts[k * radix + digit_of(key, pass)]++] = key;
  });
}

}  // namespace

template <class CodeOf>
void MortonOrder::sort_by(std::size_t n, const CodeOf& code_of) {
  constexpr std::size_t items_a_chunk = 1 << 14;
  keys_.resize(n), other_.resize(n);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, 4096), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) keys_[i] = std::uint64_t{code_of(i)} << 32 | i;
  });
  const auto most = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::size_t chunks = std::clamp<std::size_t>(n / items_a_chunk, 1, most);
  for (int pass = 0; pass < digits; ++pass) {
    sort_by_digit(keys_, other_, pass, chunks, counts_);
    std::swap(keys_, other_);
  }
}

void MortonOrder::sort(std::span<const Ray> rays) {
  constexpr float one_place = 1e-6f;
  const auto bounds = bounds_of<BatchBounds>(rays.size(), [&](BatchBounds& all, std::size_t i) {
    all.origins.add(rays[i].origin);
    all.ends.add(rays[i].origin + std::min(rays[i].t_max, 1e30) * rays[i].direction);
  });
  if (bounds.ends.size() < one_place * bounds.origins.size()) {
    const Coder code(Bounds{{-1, -1, -1}, {1, 1, 1}});
    sort_by(rays.size(), [&](std::size_t i) { return code(unit_direction(rays[i])); });
  } else {
    const Coder code(bounds.origins);
    sort_by(rays.size(), [&](std::size_t i) { return code(rays[i].origin); });
  }
}

void MortonOrder::sort(std::span<const Vec3> points) {
  const Coder code(bounds_of<Bounds>(points.size(), [&](Bounds& all, std::size_t i) { all.add(points[i]); }));
  sort_by(points.size(), [&](std::size_t i) { return code(points[i]); });
}

}  // namespace sphaera::bench
