#include <algorithm>
#include <base/validate.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/instruction_set.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/seed.hpp>
#include <tools/workload/workload.hpp>

namespace sphaera::test {

namespace {

Sphere meter_sphere(Random& random) { return {random.in_cube(100), random.between(0.01, 3)}; }

Sphere any_scale(Random& random) {
  const double distance = random.log_uniform(1e-3, 1e13);
  return {distance * random.direction(), distance * random.log_uniform(1e-6, 1)};
}

Sphere nested_sphere(Random& random) {
  static constexpr double radii[] = {1, 2, 3, 5, 5, 0.25};
  const double x = random.whole(-4, 4), y = random.whole(-1, 1);
  return {{8 * x, 8 * y, 0}, radii[random.below(6)]};
}

/// A sphere whose center has the distance 5 from the x axis. A ray along the axis enters spheres of the same
/// x and radius (5 or 6) at the same t.
Sphere mirrored_sphere(std::size_t i, Random& random) {
  const double along = 10 * random.whole(1, 3), up = 3, side = 4;
  const double y = i & 1 ? up : -up, z = i & 2 ? side : -side;
  return {i & 4 ? Vec3{along, y, z} : Vec3{along, z, y}, 1.0 * random.whole(4, 6)};
}

Sphere lattice_sphere(std::size_t i) {
  constexpr std::size_t side = 22;
  const std::size_t cell[] = {i % side, i / side % side, i / side / side};
  return {{static_cast<double>(cell[0]), static_cast<double>(cell[1]), static_cast<double>(cell[2])}, 0.5};
}

Sphere denormal_sphere(Random& random) {
  return {random.in_cube(0x1p-1050), std::max(0x1p-1074, random.between(0, 0x1p-1054))};
}

Sphere huge_sphere(Random& random) { return {random.in_cube(0x1p198), random.log_uniform(0x1p150, 0x1p197)}; }

Sphere extreme_sphere(Random& random) {
  switch (random.below(4)) {
    case 0:
      return denormal_sphere(random);
    case 1:
      return huge_sphere(random);
    case 2:
      return any_scale(random);
    default:
      return meter_sphere(random);
  }
}

/// A star, a planet or moon or, mostly, a person in one of the crowds on them.
Sphere peopled_sphere(std::size_t i, Random& random) {
  static constexpr double body_radius[] = {6.4e6, 1.7e6, 2.5e5, 6e7};
  static constexpr Vec3 body[] = {
      {1.5e11, 2e10, 3e7}, {1.5e11, 2.038e10, 3e7}, {-8e12, 1e11, 7e10}, {3e12, 4e12, 0}};
  static constexpr Vec3 up[] = {{0.6, 0.64, 0.48}, {0, 0, 1}, {-0.8, 0, 0.6}};
  const std::size_t where = i / 3 % 3, crowd = i % 3;
  if (i % 50 == 7) return {body[i / 50 % 4], body_radius[i / 50 % 4]};
  if (i % 50 == 8) return {{0, 0, 0}, 7e8};
  const Vec3 place = body[where] + body_radius[where] * up[crowd];
  return {place + random.in_cube(crowd == 2 ? 3e4 : 60), random.between(0.2, 0.6)};
}

std::vector<Sphere> workload_spheres(workload::Kind kind, std::size_t n, Random& random) {
  return workload::spheres(kind, n, random.bits());
}

/// A random sphere of the scene, or a unit sphere if the scene is empty.
const Sphere& any_of(const std::vector<Sphere>& spheres, Random& random) {
  static const Sphere unit{{0, 0, 0}, 1};  // queries are made for an empty scene, too
  return spheres.empty() ? unit : spheres[random.bits() % spheres.size()];
}

Vec3 on_surface(const Sphere& s, Random& random) { return s.center + s.radius * random.direction(); }

/// A place in the scene, on a surface, near a sphere, or far outside everything.
Vec3 any_position(const std::vector<Sphere>& spheres, Random& random) {
  const Sphere& s = any_of(spheres, random);
  switch (random.below(8)) {
    case 0:
      return s.center;
    case 1:
      return on_surface(s, random);
    case 2:
      return s.center + random.between(0, 1) * s.radius * random.direction();
    case 3:
      return 0.5 * (s.center + any_of(spheres, random).center);
    case 4:
      return s.center + 1e16 * random.direction();
    case 5:
      return 0x1p150 * random.direction();
    default:
      return s.center + random.log_uniform(1, 1e4) * s.radius * random.direction();
  }
}

Vec3 nudged(Vec3 v, Random& random) {
  const int ulps = random.whole(-2, 2);
  switch (random.below(3)) {
    case 0:
      v.x = step(v.x, ulps);
      break;
    case 1:
      v.y = step(v.y, ulps);
      break;
    default:
      v.z = step(v.z, ulps);
  }
  return v;
}

/// A point of the sphere's silhouette as seen from `eye`, within ulps.
Vec3 silhouette(const Sphere& s, const Vec3& eye, Random& random) {
  const Vec3 sight = s.center - eye, side = cross(sight, random.direction());
  const double length = std::sqrt(dot(side, side));
  return length > 0 && std::isfinite(length) ? nudged(s.center + s.radius / length * side, random) : s.center;
}

Ray towards(const Vec3& origin, const Vec3& target, Random& random) {
  const double stretch = random.one_in(2) ? 1 : std::ldexp(1.0, random.whole(-40, 40));
  const Vec3 direction = stretch * (target - origin);
  return {origin, direction == Vec3{} ? random.direction() : direction, 0, infinity};
}

/// Along an axis, through the center or grazing it within ulps.
Ray along_axis(const Sphere& s, Random& random) {
  const int axis = random.below(3);
  const double grazes[] = {0, s.radius, step(s.radius, 1), step(s.radius, -1)};
  const double aside = grazes[random.below(4)], back = s.radius * random.whole(2, 9);
  double origin[] = {s.center.x, s.center.y, s.center.z}, direction[3] = {};
  origin[(axis + 1) % 3] += random.one_in(2) ? aside : -aside;
  direction[axis] = random.one_in(2) ? 1 : std::ldexp(-1.0, random.whole(-9, 9));
  origin[axis] -= direction[axis] < 0 ? -back : back;
  return {{origin[0], origin[1], origin[2]}, {direction[0], direction[1], direction[2]}, 0, infinity};
}

Ray ray_at(const std::vector<Sphere>& spheres, const Sphere& s, Random& random) {
  const Vec3 origin = any_position(spheres, random);
  switch (random.below(4)) {
    case 0:
      return towards(origin, any_position(spheres, random), random);
    case 1:
      return towards(origin, s.center + random.between(0, 2) * s.radius * random.direction(), random);
    case 2:
      return along_axis(s, random);
    default:
      return towards(origin, silhouette(s, origin, random), random);
  }
}

/// An end of the ray: within an ulp of a root of the sphere, infinite, or random.
double any_end(const Ray& ray, const Sphere& s, Random& random) {
  const auto roots = oracle::roots(oracle::sight(ray, s));
  switch (random.below(6)) {
    case 0:
      return infinity;
    case 1:
      return -infinity;
    case 2:
      return random.between(-2, 2);
    default:
      if (!roots) return 0;
      return step(static_cast<double>(random.one_in(2) ? roots->t1 : roots->t2), random.whole(-1, 1));
  }
}

template <class Item, class Make>
std::vector<Item> made(std::size_t n, const Make& make) {
  std::vector<Item> items;
  while (items.size() < n) {
    const Item item = make();
    if (base::valid(item)) items.push_back(item);
  }
  return items;
}

}  // namespace

const char* name(SceneKind scene_kind) {
  static constexpr const char* names[scene_kind_count] = {
      "crowd",    "belt", "uniform",  "all scales", "far cluster", "nested", "lattice",
      "mirrored", "flat", "denormal", "huge",       "extremes",    "peopled"};
  return names[static_cast<int>(scene_kind)];
}

std::vector<SceneKind> kinds_to_try() {
  const int step = sanitized() || baseline_only() ? 3 : 1;
  std::vector<SceneKind> kinds;
  for (int kind = static_cast<int>(seed() % static_cast<unsigned>(step)); kind < scene_kind_count;
       kind += step)
    kinds.push_back(static_cast<SceneKind>(kind));
  return kinds;
}

std::vector<Sphere> make_spheres(SceneKind scene_kind, std::size_t n, Random& random) {
  const Vec3 far = 1e13 * random.direction();
  std::size_t i = 0;
  const auto sphere = [&]() -> Sphere {
    switch (scene_kind) {
      case SceneKind::all_scales:
        return any_scale(random);
      case SceneKind::far_cluster: {
        const Sphere s = meter_sphere(random);
        return {far + s.center, s.radius};
      }
      case SceneKind::nested:
        return nested_sphere(random);
      case SceneKind::lattice:
        return lattice_sphere(i++);
      case SceneKind::mirrored:
        return mirrored_sphere(i++, random);
      case SceneKind::flat: {
        const Sphere s = meter_sphere(random);
        return {{s.center.x, s.center.y, 0}, s.radius};
      }
      case SceneKind::denormal:
        return denormal_sphere(random);
      case SceneKind::peopled:
        return peopled_sphere(i++, random);
      case SceneKind::huge:
        return huge_sphere(random);
      default:
        return extreme_sphere(random);
    }
  };
  switch (scene_kind) {
    case SceneKind::crowd:
      return workload_spheres(workload::Kind::crowd, n, random);
    case SceneKind::belt:
      return workload_spheres(workload::Kind::belt, n, random);
    case SceneKind::uniform:
      return workload_spheres(workload::Kind::uniform, n, random);
    default:
      return made<Sphere>(n, sphere);
  }
}

std::vector<Ray> make_rays(const std::vector<Sphere>& spheres, std::size_t n, Random& random) {
  return made<Ray>(n, [&] {
    const Sphere& s = any_of(spheres, random);
    Ray ray = ray_at(spheres, s, random);
    if (!base::valid(ray)) return ray;
    if (random.one_in(3)) ray.t_min = any_end(ray, s, random);
    if (random.one_in(3)) ray.t_max = random.one_in(8) ? ray.t_min : any_end(ray, s, random);
    return ray;
  });
}

std::vector<Segment> make_segments(const std::vector<Sphere>& spheres, std::size_t n, Random& random) {
  return made<Segment>(n, [&] {
    const Vec3 from = any_position(spheres, random);
    switch (random.below(4)) {
      case 0:
        return Segment{from, from};
      case 1:
        return Segment{from, silhouette(any_of(spheres, random), from, random)};
      default:
        return Segment{from, any_position(spheres, random)};
    }
  });
}

std::vector<Vec3> make_points(const std::vector<Sphere>& spheres, std::size_t n, Random& random) {
  return made<Vec3>(n, [&] { return any_position(spheres, random); });
}

std::vector<Vec3> make_velocities(const std::vector<Sphere>& spheres, Random& random) {
  std::vector<Vec3> velocities;
  for (const Sphere& s : spheres) {
    const int kind = random.below(4);
    if (kind == 0) velocities.push_back({});
    if (kind == 1) velocities.push_back({1.0 * random.whole(-2, 2), 0, 0.5 * random.whole(-2, 2)});
    if (kind > 1) velocities.push_back(3 * s.radius * random.between(0, 1) * random.direction());
    const Vec3& v = velocities.back();
    const bool in_domain = std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}) < 0x1p190;
    if (!in_domain) velocities.back() = {};
  }
  return velocities;
}

std::vector<Vec3> centers_of(std::span<const Sphere> spheres) {
  std::vector<Vec3> centers;
  for (const Sphere& s : spheres) centers.push_back(s.center);
  return centers;
}

std::vector<Ball> make_balls(const std::vector<Sphere>& spheres, std::size_t n, Random& random) {
  return made<Ball>(n, [&] {
    const Vec3 center = any_position(spheres, random);
    const Sphere& s = any_of(spheres, random);
    switch (random.below(4)) {
      case 0:
        return Ball{center, 0};
      case 1:
        return Ball{center, s.radius * random.between(0, 10)};
      default: {  // touches s within ulps, or holds its center
        const auto gap = static_cast<double>(oracle::signed_distance(center, s));
        return Ball{center, gap > 0 ? step(gap, random.whole(-1, 1)) : s.radius};
      }
    }
  });
}

}  // namespace sphaera::test
