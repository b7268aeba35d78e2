#include <algorithm>
#include <bench/measure/sort_rays.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace sphaera::bench {
namespace {

Vec3 key_point(const Ray& ray, SortBy by) {
  if (by == SortBy::origin) return ray.origin;
  return 1 / std::sqrt(dot(ray.direction, ray.direction)) * ray.direction;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  std::uint64_t step_of(double value) const {
    constexpr double steps = (1 << 20) - 1;
    return high > low ? static_cast<std::uint64_t>((value - low) / (high - low) * steps) : 0;
  }
};

/// Spreads the 20 bits of x to every third bit (Morton code).
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

}  // namespace

void sort_rays(std::span<Ray> rays, SortBy by) {
  Range x, y, z;
  for (const Ray& ray : rays) {
    const Vec3 p = key_point(ray, by);
    x.add(p.x);
    y.add(p.y);
    z.add(p.z);
  }
  std::vector<std::pair<std::uint64_t, std::size_t>> keys(rays.size());
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const Vec3 p = key_point(rays[i], by);
    keys[i] = {spread(x.step_of(p.x)) << 2 | spread(y.step_of(p.y)) << 1 | spread(z.step_of(p.z)), i};
  }
  std::sort(keys.begin(), keys.end());
  const std::vector<Ray> unsorted(rays.begin(), rays.end());
  for (std::size_t i = 0; i < rays.size(); ++i) rays[i] = unsorted[keys[i].second];
}

}  // namespace sphaera::bench
