#include <bench/measure/neighbor_scenes.hpp>
#include <bench/measure/sort_rays.hpp>
#include <cmath>
#include <numbers>
#include <tools/workload/random.hpp>

namespace sphaera::bench {
namespace {

Vec3 random_position(Shape shape, std::size_t n, workload::Random& random) {
  const auto spheres = static_cast<double>(n);
  if (shape == Shape::flat) {
    const double side = std::sqrt(spheres);
    return {random.between(0, side), random.between(0, side), 0};
  }
  const double side = std::cbrt(spheres);
  return {random.between(0, side), random.between(0, side), random.between(0, side)};
}

}  // namespace

std::string_view name(Shape shape) { return shape == Shape::flat ? "flat" : "cube"; }

HugeVector<Sphere> equal_spheres(Shape shape, std::size_t n, std::uint64_t seed) {
  HugeVector<Sphere> spheres(n);
  for (std::size_t i = 0; i < n; ++i) {
    workload::Random random(seed, workload::Purpose::sphere, i);
    spheres[i] = {random_position(shape, n, random), equal_radius};
  }
  return spheres;
}

HugeVector<Vec3> places(Shape shape, std::size_t n, std::size_t count, Order order, std::uint64_t seed) {
  std::vector<Ray> rays(count);
  for (std::size_t i = 0; i < count; ++i) {
    workload::Random random(seed, workload::Purpose::ray, i);
    rays[i].origin = random_position(shape, n, random);
  }
  if (order == Order::sorted) sort_rays(rays, SortBy::origin);
  HugeVector<Vec3> points(count);
  for (std::size_t i = 0; i < count; ++i) points[i] = rays[i].origin;
  return points;
}

double radius_for(Shape shape, double spheres) {
  const double to_center = shape == Shape::flat ? std::sqrt(spheres / std::numbers::pi)
                                                : std::cbrt(spheres * 3 / (4 * std::numbers::pi));
  return to_center - equal_radius;
}

}  // namespace sphaera::bench
