#pragma once
/// \file The length of a ray inside the spheres that it meets.

#include <sphaera/config/requirements.hpp>

#include <cstdint>
#include <span>
#include <sphaera/config/export.hpp>
#include <sphaera/hit.hpp>
#include <sphaera/ray.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// Sums over the hits of one ray, in the scene's unit of length. Each chord is cut at t_min and t_max.
struct ChordSums {
  std::uint64_t hits = 0;
  double chords = 0;  ///< sum of the lengths inside each sphere
  double inside = 0;  ///< length inside at least one sphere
};

/// Sums of the hits of `ray` as `Scene::all_hits` returns them: sorted by max(t_min, t1). A chord is off by
/// at most u·(|t_enter| + |t_exit| + 3·chord)·|direction|, u = 2^-53; adding up n of them adds n·u of the
/// sum. Throws Error(invalid_argument) for a ray outside its documented range.
SPHAERA_API ChordSums chord_sums(const Ray& ray, std::span<const Hit> hits);

}  // namespace sphaera::inline SPHAERA_ABI
