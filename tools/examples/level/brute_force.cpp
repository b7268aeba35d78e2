#include "brute_force.hpp"

#include <algorithm>
#include <cmath>

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

/// t at which the ray enters the sphere, else infinity: the quadratic equation in long double, which has 11
/// bits more than the input. That is enough for all rays but those constructed as tangents.
double meet(const Ray& ray, const Sphere& sphere) {
  using Wide = long double;
  const auto dot_of = [](const Wide* a, const Wide* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  const auto& [o, d, t_min, t_max] = ray;
  const Vec3& c = sphere.center;
  const Wide from[] = {Wide(o.x) - c.x, Wide(o.y) - c.y, Wide(o.z) - c.z}, along[] = {d.x, d.y, d.z};
  const Wide a = dot_of(along, along), b = dot_of(from, along);
  const Wide discriminant = b * b - a * (dot_of(from, from) - Wide(sphere.radius) * sphere.radius);
  if (discriminant < 0) return infinity;
  const Wide root = std::sqrt(discriminant), enter = (-b - root) / a, exit = (-b + root) / a;
  if (exit < t_min || enter > t_max) return infinity;
  return std::max(t_min, static_cast<double>(enter));
}

Hit nearest_sphere(const World& world, const Ray& ray) {
  Hit nearest{.t_enter = infinity};
  std::int64_t id = 0;
  for (const Sphere& sphere : world.people().spheres()) {
    const double enter = meet(ray, sphere);
    if (enter < nearest.t_enter) nearest = {.t_enter = enter, .sphere = id};
    ++id;
  }
  return nearest;
}

}  // namespace

Verdict judge_first(const World& world, const Ray& ray, const LevelHit& seen) {
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
