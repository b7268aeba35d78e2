#pragma once
/// \file The trajectory of a bullet on straight legs by its definition in <sphaera/bullet.hpp>: on every leg
/// all spheres are asked, and every decision is exact. Shares no code with the engine.

#include <span>
#include <sphaera/bullet.hpp>
#include <sphaera/scene.hpp>
#include <sphaera/sphere.hpp>
#include <string>

namespace sphaera::oracle {

struct World {
  std::span<const Sphere> spheres;
  std::span<const Vec3> velocities{};  ///< empty: all at rest
  Horizon horizon{0, infinity};        ///< ends all flights if spheres move
};

/// Checks `answer`, all impacts of the bullet: the spheres, contacts and outcomes of all impacts and the end
/// of the flight exactly; times, centers, distances and velocities to the stated errors, unless `numbers` is
/// false. Each leg starts from the doubles of the impact before it, as it is defined. Returns what is wrong,
/// or an empty text. Preconditions: no gravity; the bullet's duration is infinite or rules.bounces is 0.
std::string fault_in(const World& world, const Bullet& bullet, const FlightOptions& rules,
                     std::span<const Impact> answer, bool numbers = true);

}  // namespace sphaera::oracle
