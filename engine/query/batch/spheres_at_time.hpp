#pragma once
/// \file The spheres of a scene as points and balls see them, at rest or at an instant of the scene's time.

#include <exact/predicates/at_instant.hpp>
#include <exact/predicates/decide.hpp>
#include <exact/roots/distance.hpp>
#include <scene/state.hpp>

namespace sphaera::query {

using index::are_equal;  // what an exact comparison would find out last

struct SpheresAtTime {
  const Sphere* spheres;
  const Vec3* velocities = nullptr;  ///< null: at rest
  double time = 0;

  SPHAERA_INLINE exact::SphereAtInstant at(std::uint32_t id) const {
    return {spheres[id], velocities[id], time};
  }
  /// |X − C| − r.
  template <class Arithmetic>
  SPHAERA_INLINE exact::filter::Estimate distance(const Vec3& x, std::uint32_t id) const {
    if (velocities) [[unlikely]]
      return exact::filter::distance(x, at(id), spheres[id].radius);
    return exact::filter::distance<Arithmetic>(x - spheres[id].center, spheres[id].radius);
  }
  int compare_distances(const Vec3& x, std::uint32_t a, std::uint32_t b, exact::Counts& counts) const {
    if (are_equal(spheres, velocities, a, b)) return 0;
    if (velocities) return exact::compare_distances(x, at(a), at(b), counts);
    return exact::compare_distances(x, spheres[a], spheres[b], counts);
  }
  double signed_distance(const Vec3& x, std::uint32_t id) const {
    return velocities ? exact::signed_distance(x, at(id)) : exact::signed_distance(x, spheres[id]);
  }
  SPHAERA_INLINE int sign_gap(const Ball& ball, std::uint32_t id, exact::Counts& counts) const {
    if (velocities) [[unlikely]]
      return exact::sign_gap(ball, at(id), counts);
    return exact::sign_gap(ball, {spheres[id].center, spheres[id].radius}, counts);
  }
};

/// The spheres at the time of query i.
SPHAERA_INLINE SpheresAtTime spheres_at_time(const SceneState& state, const QueryOptions& options,
                                             std::size_t i) {
  const Sphere* const spheres = state.spheres.span().data();
  if (options.times.empty() || !state.moves() || options.times[i] == 0) return {spheres};
  return {spheres, state.velocities.span().data(), options.times[i]};
}

}  // namespace sphaera::query
