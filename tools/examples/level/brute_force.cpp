#include "brute_force.hpp"

#include <cmath>
#include <sphaera/ray_sphere.hpp>

namespace level {
namespace {

using namespace sphaera;

Vec3 vertex(const Mesh& mesh, std::uint32_t k) {
  const auto& [x, y, z] = mesh.vertices[k];
  return {x, y, z};
}

/// t at which the ray meets the triangle, else infinity (Möller and Trumbore, 1997), in doubles.
double meet(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, across = cross(ray.direction, ac);
  const double determinant = dot(ab, across);
  if (determinant == 0) return infinity;
  const Vec3 from_a = ray.origin - a;
  const double u = dot(from_a, across) / determinant;
  if (u < 0 || u > 1) return infinity;
  const Vec3 around = cross(from_a, ab);
  const double v = dot(ray.direction, around) / determinant;
  if (v < 0 || u + v > 1) return infinity;
  const double t = dot(ac, around) / determinant;
  if (t < ray.t_min || t > ray.t_max) return infinity;
  return t;
}

double nearest_wall(const World& world, const Ray& ray) {
  double nearest = infinity;
  for (const Mesh& mesh : world.meshes())
    for (const auto& [a, b, c] : mesh.triangles)
      nearest = std::min(nearest, meet(ray, vertex(mesh, a), vertex(mesh, b), vertex(mesh, c)));
  return nearest;
}

/// The sphere that the ray enters first, by the library's exact decision for one sphere.
Hit nearest_sphere(const World& world, const Ray& ray) {
  Hit nearest{.t_enter = infinity};
  std::int64_t id = 0;
  for (const Sphere& sphere : world.people().spheres()) {
    if (meets(ray, sphere)) {
      const double enter = std::max(ray.t_min, intersect(ray, sphere).t1);
      if (enter < nearest.t_enter) nearest = {.t_enter = enter, .sphere = id};
    }
    ++id;
  }
  return nearest;
}

}  // namespace

Verdict judge_first(const World& world, const Ray& ray, const Seen& seen) {
  const double wall = nearest_wall(world, ray);
  const Hit person = nearest_sphere(world, ray);
  const bool is_person = seen.part == Part::people, right = person.t_enter < wall;
  if (seen.part == Part::nothing) return right || wall < infinity ? Verdict::wrong : Verdict::right;
  if (is_person && seen.sphere != person.sphere) return Verdict::wrong;
  if (!is_person && !(std::abs(seen.t - wall) <= float_error)) return Verdict::wrong;
  if (is_person == right) return Verdict::right;
  return std::abs(person.t_enter - wall) <= float_error ? Verdict::close : Verdict::wrong;
}

Verdict judge_blocked(const World& world, const Ray& ray, bool blocked) {
  const bool barred = nearest_wall(world, ray) < infinity || nearest_sphere(world, ray).sphere >= 0;
  return barred == blocked ? Verdict::right : Verdict::wrong;
}

}  // namespace level
