#include <closed_form/single_query.hpp>
#include <exact/predicates/decide.hpp>
#include <exact/roots/line.hpp>
#include <exact/roots/roots.hpp>
#include <sphaera/closed_form/pierce.hpp>

namespace sphaera::inline SPHAERA_ABI {
namespace {

using closed_form::with_checked_input;
using exact::Path;
using exact::Side;
using exact::surface_point_from_center;

/// True if t2 ≤ t_max. Precondition: the path meets the sphere, so t_min ≤ t2.
bool exits_on_path(const Path& path, const Sphere& sphere, exact::Counts& counts) {
  return exact::sign_power(path, sphere, path.t_max, counts) >= 0 &&
         exact::sign_slope(path, sphere, path.t_max, counts) >= 0;
}

std::optional<Pierce> pierce_along(const Path& path, const Sphere& sphere) {
  exact::Counts counts;
  const Contact contact = exact::contact(path, sphere, counts);
  if (contact == Contact::miss || path.direction == Vec3{}) return std::nullopt;
  const exact::Roots roots = exact::roots(path, sphere);
  const bool exits = exits_on_path(path, sphere, counts);
  return exact::with_line(path, sphere, [&](const auto& line) {
    return Pierce{
        {roots.t1, surface_point_from_center(sphere, offset(line, Side::entry)), contact == Contact::enters},
        {roots.t2, surface_point_from_center(sphere, offset(line, Side::exit)), exits}};
  });
}

std::optional<SurfacePoint> hit_point_along(const Path& path, const Sphere& sphere) {
  exact::Counts counts;
  const Contact contact = exact::contact(path, sphere, counts);
  if (contact == Contact::miss) return std::nullopt;
  return exact::contact_point(path, sphere, contact);
}

}  // namespace

std::optional<Pierce> pierce(const Ray& ray, const Sphere& sphere) {
  return with_checked_input(ray, sphere, pierce_along);
}
std::optional<Pierce> pierce(const Segment& segment, const Sphere& sphere) {
  return with_checked_input(segment, sphere, pierce_along);
}

std::optional<SurfacePoint> hit_point(const Ray& ray, const Sphere& sphere) {
  return with_checked_input(ray, sphere, hit_point_along);
}
std::optional<SurfacePoint> hit_point(const Segment& segment, const Sphere& sphere) {
  return with_checked_input(segment, sphere, hit_point_along);
}

}  // namespace sphaera::inline SPHAERA_ABI
