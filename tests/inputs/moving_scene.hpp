#pragma once
/// \file Scenes that move, bullets that just hit or miss, and the first impact by the oracle.

#include <sphaera/scene.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/near.hpp>
#include <tests/oracle/decide.hpp>

namespace sphaera::test {

struct MovingScene {
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;  ///< empty: all at rest
  Horizon horizon{-1, 2};

  Scene build(const BuildOptions& more = {}) const {
    BuildOptions options = more;
    options.velocities = velocities, options.horizon = horizon;
    return Scene::build(spheres, options);
  }
  /// Sphere i relative to a bullet, exact for the doubles of both.
  oracle::Sight sight(const Bullet& bullet, std::size_t i) const {
    if (velocities.empty()) return oracle::sight(bullet, spheres[i], {});
    return oracle::sight(bullet, spheres[i], velocities[i], horizon);
  }
  Vec3 velocity(std::size_t i) const { return velocities.empty() ? Vec3{} : velocities[i]; }
  Vec3 center(std::size_t i, double time) const { return spheres[i].center + time * velocity(i); }
};

/// n people of a crowd, who walk in all directions if it `moves`.
inline MovingScene crowd_in_motion(std::size_t n, bool moves, Random& random) {
  MovingScene world{make_spheres(SceneKind::crowd, n, random), {}};
  for (std::size_t i = 0; moves && i < n; ++i) world.velocities.push_back(2 * random.in_cube(1));
  return world;
}

/// A bullet that grazes sphere i within rounding, or one whose line passes the sphere's center at up to 1.5
/// times the sum of the radii.
inline Bullet bullet_at(const MovingScene& scene, std::size_t i, Random& random) {
  const double radius = random.one_in(2) ? 0 : scene.spheres[i].radius * random.log_uniform(1e-3, 2),
               start = random.one_in(3) ? 0 : random.between(-0.9, 0.9), t = random.between(0, 1);
  const double reach = scene.spheres[i].radius + radius;
  const Vec3 d = (reach * random.log_uniform(0.5, 100)) * random.in_cube(1), side = random.in_cube(1),
             across = cross(d, side), n = (1 / (length(across) > 0 ? length(across) : 1)) * across;
  const double share = random.one_in(2) ? 1 : random.between(0, 1.5);
  const Vec3 velocity = d + scene.velocity(i);
  const Vec3 origin = scene.center(i, start + t) + (share * reach) * n - t * velocity;
  return {origin, velocity, radius, start, random.one_in(3) ? t : random.between(0, 3)};
}

inline std::vector<Bullet> bullets_at(const MovingScene& scene, std::size_t n, Random& random) {
  std::vector<Bullet> bullets;
  while (bullets.size() < n) {
    const auto i = static_cast<std::size_t>(random.below(static_cast<int>(scene.spheres.size())));
    bullets.push_back(bullet_at(scene, i, random));
    if (random.one_in(8)) bullets.back().origin = scene.center(i, bullets.back().start);
  }
  return bullets;
}

/// The first impact by definition: the least entry of all spheres, decided exactly. Sets only sphere and
/// contact.
inline Impact first_by_oracle(const MovingScene& scene, const Bullet& bullet) {
  Impact first;
  oracle::Sight best;
  for (std::size_t i = 0; i < scene.spheres.size(); ++i) {
    const oracle::Sight sight = scene.sight(bullet, i);
    const Contact contact = oracle::contact(sight);
    if (contact == Contact::miss) continue;
    if (first.sphere >= 0 && oracle::compare_entries(sight, best) >= 0) continue;
    first.sphere = static_cast<std::int64_t>(i), first.contact = contact;
    best = sight;
  }
  return first;
}

/// A bullet under gravity that comes near a random sphere. Most flights are clearly curved; some graze the
/// sphere or meet it twice.
inline Bullet lobbed_at(const MovingScene& scene, const Vec3& gravity, Random& random) {
  const auto i = static_cast<std::size_t>(random.below(static_cast<int>(scene.spheres.size())));
  const Sphere& s = scene.spheres[i];
  const double t = random.log_uniform(0.05, 1), start = scene.velocities.empty() ? 0 : random.between(0, 0.5),
               radius = random.one_in(2) ? 0 : s.radius * random.unit();
  const Vec3 aim = scene.center(i, start + t) + (1.2 * (s.radius + radius)) * random.in_cube(1),
             origin = (random.one_in(8) ? 0.1 : 4.0) * random.in_cube(1) + s.center;
  const Vec3 velocity = (1 / t) * (aim - origin) - (0.5 * t) * gravity;
  return {origin, velocity, radius, start, random.one_in(2) ? infinity : random.between(0, 2)};
}

}  // namespace sphaera::test
