#include <algorithm>
#include <cmath>
#include <index/extent.hpp>
#include <index/parallel.hpp>

namespace sphaera::index {
namespace {

Vec3 lesser(const Vec3& a, const Vec3& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vec3 greater(const Vec3& a, const Vec3& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

Extent joined(const Extent& a, const Extent& b) {
  return {lesser(a.lower, b.lower), greater(a.upper, b.upper), std::min(a.radius_min, b.radius_min),
          std::max(a.radius_max, b.radius_max)};
}

}  // namespace

Extent extent_of(std::span<const Sphere> spheres) {
  return parallel_fold(
      spheres.size(), Extent{},
      [&](std::size_t begin, std::size_t end, Extent extent) {
        for (const Sphere& s : spheres.subspan(begin, end - begin)) {
          const Vec3 r{s.radius, s.radius, s.radius};
          extent = joined(extent, {s.center - r, s.center + r, s.radius, s.radius});
        }
        return extent;
      },
      joined);
}

Frame frame_of(std::span<const Sphere> spheres, const Extent& extent) {
  const Vec3 center = 0.5 * extent.lower + 0.5 * extent.upper;
  // Measured from the rounded centre, as the boxes will be: far from 0 the extent's own roundings are too
  // coarse.
  const Vec3 half = parallel_fold(
      spheres.size(), Vec3{},
      [&](std::size_t begin, std::size_t end, Vec3 h) {
        for (const Sphere& s : spheres.subspan(begin, end - begin)) {
          const Vec3 c = s.center - center;
          h = greater(h, {std::fabs(c.x) + s.radius, std::fabs(c.y) + s.radius, std::fabs(c.z) + s.radius});
        }
        return h;
      },
      greater);
  return Frame(center, half);
}

}  // namespace sphaera::index
