#pragma once
/// \file Crowds on a planet with moons, in a solar system: 13 decades of scale in one scene. Units are
/// meters.

#include <algorithm>
#include <array>
#include <cmath>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <tools/workload/crowd.hpp>
#include <tools/workload/random.hpp>

namespace sphaera::workload {

class Planet {
 public:
  static constexpr Sphere planet{{1.1e11, -9.7e10, 2.3e9}, 6.4e6};
  /// The first ids: a star, the planet, its moons, and the rest of the system.
  static constexpr std::array<Sphere, 16> bodies{{
      {{0, 0, 0}, 7e8},
      planet,
      {planet.center + Vec3{3.1e8, 2.2e8, 1.4e7}, 1.7e6},
      {planet.center + Vec3{-6.2e6, 8.1e6, 5e5}, 1.1e4},
      {{-4.4e10, 3.6e10, -1.2e9}, 2.4e6},
      {{6.8e10, 8.3e10, 3.1e9}, 6.1e6},
      {{-1.9e11, 1.2e11, 5.5e9}, 3.4e6},
      {{5.1e11, 5.8e11, -1.3e10}, 7.1e7},
      {{5.1e11 + 4.2e8, 5.8e11, -1.3e10 + 1e6}, 1.8e6},
      {{5.1e11, 5.8e11 - 1.1e9, -1.3e10}, 2.6e6},
      {{-1.3e12, -5.2e11, 6.1e10}, 6e7},
      {{-1.3e12, -5.2e11 + 1.2e9, 6.1e10}, 2.6e6},
      {{2.2e12, -1.8e12, -3.5e10}, 2.5e7},
      {{4.4e12, 9e11, -1.2e11}, 2.5e7},
      {{-3.1e12, -4.9e12, 8.8e11}, 1.2e6},
      {{8.1e12, -5.6e12, 1.9e12}, 1.1e6},
  }};

  Planet(std::uint64_t spheres, std::uint64_t seed) : crowds_{crowds(spheres, seed)} {}

  Sphere sphere(std::uint64_t i) const {
    if (i < bodies.size()) return bodies[i];
    const auto [k, person] = person_of(i);
    const auto [center, radius] = crowds_[k].sphere(person);
    return {planet.center + on_ground(sites[k], center), radius};
  }

  /// The fixed bodies are at rest.
  Vec3 velocity(std::uint64_t i) const {
    if (i < bodies.size()) return {};
    const auto [k, person] = person_of(i);
    return turned(sites[k], crowds_[k].sphere(person).center, crowds_[k].velocity(person));
  }

  /// A bullet in one of the crowds; t is in meters.
  Ray ray(std::uint64_t i) const {
    const Site& site = sites[i % sites.size()];
    Ray ray = crowds_[i % sites.size()].ray(i / sites.size());
    ray.direction = turned(site, ray.origin, ray.direction);
    ray.origin = planet.center + on_ground(site, ray.origin);
    return ray;
  }

  Bullet bullet(std::uint64_t i) const {
    const Site& site = sites[i % sites.size()];
    Bullet bullet = crowds_[i % sites.size()].bullet(i / sites.size());
    bullet.velocity = turned(site, bullet.origin, bullet.velocity);
    bullet.origin = planet.center + on_ground(site, bullet.origin);
    return bullet;
  }

 private:
  /// A site where a crowd stands. All sites are on the planet's axes, where boxes along the axes
  /// fit a crowd as in the plane: only the scale differs from a crowd at the origin.
  struct Site {
    Vec3 up, east, north;
  };
  static constexpr std::array<Site, 6> sites{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                              {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
                                              {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
                                              {{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}},
                                              {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
                                              {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}}}};

  static std::array<Crowd, 6> crowds(std::uint64_t spheres, std::uint64_t seed) {
    const std::uint64_t each = (spheres - std::min<std::uint64_t>(spheres, bodies.size())) / sites.size();
    return {{{each, seed},
             {each, seed + 1},
             {each, seed + 2},
             {each, seed + 3},
             {each, seed + 4},
             {each, seed + 5}}};
  }

  /// Crowds get people block by block, in turns.
  struct Person {
    std::size_t crowd;
    std::uint64_t index;
  };
  static Person person_of(std::uint64_t i) {
    const std::uint64_t person = i - bodies.size(), block = person / Crowd::block_length;
    return {block % sites.size(), block / sites.size() * Crowd::block_length + person % Crowd::block_length};
  }

  /// The direction d at the plane's point p, rotated to the planet's surface at the site.
  static Vec3 turned(const Site& site, const Vec3& p, const Vec3& d) {
    const Vec3 up = up_at(site, p);
    const Vec3 slope = site.east - dot(site.east, up) * up, east = 1 / std::sqrt(dot(slope, slope)) * slope;
    return d.x * east + d.y * cross(up, east) + d.z * up;
  }

  /// The direction from the planet's center to the plane's point (x, y).
  static Vec3 up_at(const Site& site, const Vec3& p) {
    const Vec3 q = planet.radius * site.up + p.x * site.east + p.y * site.north;
    return 1 / std::sqrt(dot(q, q)) * q;
  }

  /// Relative to the planet's center. The deepest valley lies on the planet's surface.
  static Vec3 on_ground(const Site& site, const Vec3& p) {
    return (planet.radius + Crowd::hill_height + p.z) * up_at(site, p);
  }

  std::array<Crowd, 6> crowds_;
};

}  // namespace sphaera::workload
