#pragma once
/// \file Checks of what a scene is built from or changed by, made before anything changes.

#include <base/errors.hpp>
#include <base/floating_point_environment.hpp>
#include <base/validate.hpp>
#include <cmath>
#include <exception>
#include <scene/rebuild.hpp>

namespace sphaera::query {

using base::check_threads, base::with_memory_errors;

/// Throws unless there are `needed` items.
void check_count(std::size_t count, std::size_t needed, const char* what, const char* of);
/// Like check_count, for optional items: a count of 0 is valid, too.
void check_optional(std::size_t count, std::size_t spheres, const char* what);
/// Throws if the options of a build or an insertion are invalid or do not fit the number of spheres. Does not
/// check the elements of spans. The number of velocities is that of the spans or of the rows.
void check_sizes(std::size_t spheres, const BuildOptions& options, std::size_t velocities);
void check_insert(const SceneState& state, std::size_t spheres, std::size_t ids, const InsertOptions& options,
                  std::size_t velocities);
/// Scene::build for options with `statuses`: skips invalid spheres.
Scene build_skipping(std::span<const Sphere> spheres, const BuildOptions& options);

inline bool is_given(const Horizon& horizon) { return !(std::isnan(horizon.from) && std::isnan(horizon.to)); }

/// Throws unless there is a center for each sphere. Also throws if there are velocities for a scene built
/// without them, or not one for each sphere.
void check_moves(const Scene& scene, std::size_t centers, std::size_t velocities);
/// The same for spheres that are listed.
void check_moves_of(std::size_t ids, std::size_t centers, std::size_t velocities);

/// Is the layer of sphere i valid? True if there are no layers.
inline bool has_valid_layer(std::span<const std::uint8_t> layers, std::size_t i) {
  return layers.empty() || layers[i] < max_layers;
}

/// Does the sphere stay in the domain during the time interval?
inline bool stays(const Sphere& sphere, const Vec3& velocity, const Horizon& horizon) {
  const index::Bounds swept =
      index::SphereSet{{&sphere, 1}, {&velocity, 1}, horizon.from, horizon.to}.swept(0, {});
  return base::in_domain(velocity) && base::in_domain(swept.lower) && base::in_domain(swept.upper);
}
[[noreturn]] void refuse_motion(std::size_t sphere);
/// Throws: velocities are given for a scene that was built without any.
[[noreturn]] void refuse_velocities();

/// Throws if the update options are invalid, their time aside.
void check_update(const UpdateOptions& options);
/// Throws unless the scene knows where its spheres are at UpdateOptions::at_time.
void check_time(const SceneState& state, const UpdateOptions& options);
/// Throws if the options have such a time: called by `update` of all spheres.
void refuse_time(const UpdateOptions& options);

/// The center at time 0 of a sphere that is at `place` at another time. `velocity` is null for a sphere at
/// rest.
inline Vec3 center_at_zero(const Vec3& place, const Vec3* velocity, double time) {
  if (!velocity || time == 0) return place;
  return {std::fma(-time, velocity->x, place.x), std::fma(-time, velocity->y, place.y),
          std::fma(-time, velocity->z, place.z)};
}

/// Converts allocation failures to Error; an exception from the caller's progress callback passes through
/// unchanged.
template <class Work>
void with_build_errors(const Work& work) {
  try {
    with_memory_errors(work);
  } catch (const index::CallbackError& error) {
    std::rethrow_exception(error.thrown);
  }
}

}  // namespace sphaera::query
