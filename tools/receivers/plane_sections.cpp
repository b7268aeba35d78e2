#include <cmath>
#include <tools/receivers/plane_sections.hpp>

namespace sphaera::tool {

std::optional<MapEllipse> section(const Plane& plane, const Sphere& sphere) {
  // A right-handed frame: e1 along the first edge, e2 in the plane, e3 upright.
  const Vec3 e1 = plane.across * (1 / length(plane.across));
  const Vec3 upright = cross(e1, plane.up);
  const Vec3 e3 = upright * (1 / length(upright)), e2 = cross(e3, e1);
  const Vec3 from_corner = sphere.center - plane.origin;
  const double height = dot(from_corner, e3);
  if (!(std::fabs(height) < sphere.radius)) return std::nullopt;
  const double radius = std::sqrt((sphere.radius - height) * (sphere.radius + height));
  const auto shares = [&](double along_e1, double along_e2) {
    const double up = along_e2 / dot(plane.up, e2);
    return MapPoint{(along_e1 - up * dot(plane.up, e1)) / length(plane.across), up};
  };
  return MapEllipse{shares(dot(from_corner, e1), dot(from_corner, e2)), shares(radius, 0), shares(0, radius)};
}

}  // namespace sphaera::tool
