#pragma once
/// \file What is checked of moves before anything changes.

#include <query/batch/batch.hpp>

namespace sphaera::query {

/// Throws if there are velocities, but not one for each sphere, or no horizon, or one that is not finite.
void check_horizon(std::size_t spheres, std::span<const Vec3> velocities, const Horizon& horizon);

/// Throws if there is not a center for each sphere, or if there are velocities for a scene that was built
/// without, or not one for each sphere.
void check_moves(const Scene& scene, std::span<const Vec3> centers, std::span<const Vec3> velocities);

/// Does a sphere stay in the domain within the horizon?
inline bool stays(const Sphere& sphere, const Vec3& velocity, const Horizon& horizon) {
  const index::Bounds swept =
      index::SphereSet{{&sphere, 1}, {&velocity, 1}, horizon.from, horizon.to}.swept(0, {});
  return base::in_domain(velocity) && base::in_domain(swept.lower) && base::in_domain(swept.upper);
}
[[noreturn]] void refuse_motion(std::size_t sphere);

/// Throws for how an update is wanted, if it is not valid.
void check_update(const UpdateOptions& options);

/// Allocation failures become Error; what the caller's progress callback threw goes on as it is.
template <class Work>
void with_build_errors(const Work& work) {
  try {
    with_memory_errors(work);
  } catch (const index::CallbackError& error) {
    std::rethrow_exception(error.thrown);
  }
}

}  // namespace sphaera::query
