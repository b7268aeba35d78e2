#include <algorithm>
#include <array>
#include <bench/peers/sampled_surface.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace sphaera::bench {
namespace {

std::vector<Vec3> golden_spiral(int points) {
  std::vector<Vec3> directions;
  for (int i = 0; i < points; ++i) {
    const double z = 1 - (2 * i + 1.0) / points, r = std::sqrt(1 - z * z),
                 angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
    directions.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  return directions;
}

/// Spheres by cells that are as wide as two of them are at most apart when they touch.
class CellGrid {
 public:
  CellGrid(std::span<const Sphere> spheres, double width) : spheres_(spheres), width_(width) {
    lower_ = spheres[0].center;
    Vec3 upper = lower_;
    for (const auto& [c, _] : spheres) {
      lower_ = {std::min(lower_.x, c.x), std::min(lower_.y, c.y), std::min(lower_.z, c.z)};
      upper = {std::max(upper.x, c.x), std::max(upper.y, c.y), std::max(upper.z, c.z)};
    }
    for (int axis = 0; axis < 3; ++axis) size_[axis] = cell(upper[axis], axis) + 1;
    begins_.assign(static_cast<std::size_t>(size_[0]) * size_[1] * size_[2] + 1, 0);
    for (const Sphere& s : spheres) ++begins_[number_of(s.center) + 1];
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    std::vector<std::uint32_t> next = begins_;
    ids_.resize(spheres.size());
    for (std::size_t i = 0; i < spheres.size(); ++i)
      ids_[next[number_of(spheres[i].center)]++] = static_cast<std::uint32_t>(i);
  }

  /// Calls use(id) for the spheres of the cell and of those around it.
  template <class Use>
  void around(const Vec3& c, const Use& use) const {
    const int x = cell(c.x, 0), y = cell(c.y, 1), z = cell(c.z, 2);
    for (int i = std::max(x - 1, 0); i <= std::min(x + 1, size_[0] - 1); ++i)
      for (int j = std::max(y - 1, 0); j <= std::min(y + 1, size_[1] - 1); ++j) {
        const std::size_t first = number(i, j, std::max(z - 1, 0)),
                          last = number(i, j, std::min(z + 1, size_[2] - 1));
        for (std::uint32_t k = begins_[first]; k < begins_[last + 1]; ++k) use(ids_[k]);
      }
  }

 private:
  int cell(double x, int axis) const { return static_cast<int>((x - lower_[axis]) / width_); }
  std::size_t number(int i, int j, int k) const {
    return (static_cast<std::size_t>(i) * size_[1] + j) * size_[2] + k;
  }
  std::size_t number_of(const Vec3& c) const { return number(cell(c.x, 0), cell(c.y, 1), cell(c.z, 2)); }

  std::span<const Sphere> spheres_;
  double width_;
  Vec3 lower_;
  std::array<int, 3> size_{};
  std::vector<std::uint32_t> begins_, ids_;
};

/// A neighbor, relative to the sphere: a point at distance R in direction v lies in it if v·to ≥ least.
struct NearSphere {
  Vec3 to;
  double least;
};

}  // namespace

std::vector<double> sampled_areas(std::span<const Sphere> spheres, double probe, int points) {
  std::vector<double> areas(spheres.size());
  if (spheres.empty()) return areas;
  const double largest = std::ranges::max(spheres, {}, &Sphere::radius).radius;
  const CellGrid grid(spheres, 2 * (largest + probe));
  const std::vector<Vec3> directions = golden_spiral(points);
  std::vector<NearSphere> near;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const double radius = spheres[i].radius + probe;
    near.clear();
    grid.around(spheres[i].center, [&](std::uint32_t id) {
      const double reach = spheres[id].radius + probe;
      const Vec3 to = spheres[id].center - spheres[i].center;
      const double square = dot(to, to);
      if (id != i && square < (radius + reach) * (radius + reach))
        near.push_back({to, (square + radius * radius - reach * reach) / (2 * radius)});
    });
    int free = 0;
    std::size_t last = 0;
    for (const Vec3& v : directions) {
      const auto hides = [&](const NearSphere& other) { return dot(v, other.to) >= other.least; };
      if (last < near.size() && hides(near[last])) continue;
      last = static_cast<std::size_t>(std::ranges::find_if(near, hides) - near.begin());
      free += last == near.size();
    }
    areas[i] = 4 * std::numbers::pi * radius * radius * free / points;
  }
  return areas;
}

}  // namespace sphaera::bench
