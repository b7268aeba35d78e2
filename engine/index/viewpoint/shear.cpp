#include <algorithm>
#include <base/arena.hpp>
#include <index/viewpoint/shear.hpp>
#include <vector>

namespace sphaera::index {
namespace {

/// For balls that together are so small that 1/size would overflow.
constexpr double largest_scale = 0x1p1000;

/// The greatest of |c_x| + r, |c_y| + r and |c_z| + r, from the origin, among the balls.
double reach_of(const Vec3& origin, const SphereSubset& members) {
  std::vector<double> pieces((members.size() + spheres_per_task - 1) / spheres_per_task);
  base::parallel_pieces(members.size(), spheres_per_task, [&](std::size_t begin, std::size_t end) {
    double most = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Sphere& sphere = members.sphere_set.spheres[members.id(i)];
      const Vec3 c = sphere.center - origin;
      most = std::max({most, std::fabs(c.x) + sphere.radius, std::fabs(c.y) + sphere.radius,
                       std::fabs(c.z) + sphere.radius});
    }
    pieces[begin / spheres_per_task] = most;
  });
  return *std::ranges::max_element(pieces);
}

}  // namespace

Shear::Shear(const Vec3& direction, const SphereSubset& members)
    : origin_(members.sphere_set.spheres[members.id(0)].center), face_(face_of(direction)) {
  const Vec3 d = turned(face_, direction);
  slope_u_ = d.x / d.z, slope_v_ = d.y / d.z;
  stretch_u_ = std::sqrt(1 + slope_u_ * slope_u_), stretch_v_ = std::sqrt(1 + slope_v_ * slope_v_);
  scale_ = scale_for(reach_of(origin_, members), largest_scale);
}

}  // namespace sphaera::index
