#pragma once
/// \file What is checked of moves before anything changes.

#include <query/batch.hpp>

namespace sphaera::query {

/// Throws if there are velocities, but not one for each sphere, or a horizon that is not finite.
void check_horizon(std::size_t spheres, std::span<const Vec3> velocities, const Horizon& horizon);

/// Throws if there is not a center for each sphere, or if there are velocities for a scene that was built
/// without, or not one for each sphere.
void check_moves(const Scene& scene, std::span<const Vec3> centers, std::span<const Vec3> velocities);

[[noreturn]] void refuse_motion(std::size_t sphere);

/// Throws if a sphere, sphere_of(i), leaves the domain within the horizon.
template <class SphereOf>
void check_motion(std::size_t n, const SphereOf& sphere_of, std::span<const Vec3> velocities,
                  const Horizon& horizon) {
  if (velocities.empty()) return;
  const std::size_t bad = first_bad_of(n, [&](std::size_t i) {
    const Sphere sphere = sphere_of(i);
    const index::Bounds swept =
        index::Bodies{{&sphere, 1}, {&velocities[i], 1}, horizon.from, horizon.to}.swept(0, {});
    return geometry::in_domain(velocities[i]) && geometry::in_domain(swept.lower) &&
           geometry::in_domain(swept.upper);
  });
  if (bad < n) refuse_motion(bad);
}

}  // namespace sphaera::query
