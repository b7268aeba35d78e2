#pragma once
/// \file The spheres nearest to a point of a periodic box, each at its nearest image.

#include <query/neighbors/nearest_list.hpp>
#include <query/neighbors/periodic_box.hpp>

namespace sphaera::query {

/// Distances of spheres at their nearest images.
struct SpheresInBox {
  const Sphere* spheres;
  PeriodicBox box;

  exact::SphereAtInstant nearest(const Vec3& x, std::uint32_t id, Vec3& shift) const {
    return image_of(spheres[id], shift = box.nearest_shift(x, spheres[id].center));
  }
  /// |X − C| − r.
  exact::filter::Estimate distance(const Vec3& x, std::uint32_t id) const;
  int compare_distances(const Vec3& x, std::uint32_t a, std::uint32_t b, exact::Counts& counts) const;
  double signed_distance(const Vec3& x, std::uint32_t id) const;
};

/// One query of `nearest`.
struct NearestQuery {
  const Vec3& point;
  std::size_t number;    ///< of its items in the options
  std::int64_t ignored;  ///< a sphere, −1: none
};

/// Given the row of a point among the spheres themselves, whose first `wanted` could be filled, writes its
/// row in the box. `room` is that of a NearestList.
void put_nearest_images(const SceneState& state, const QueryOptions& options, const NearestQuery& query,
                        std::size_t wanted, std::span<NeighborCandidate> room, std::span<Neighbor> row,
                        QueryStats& stats);

}  // namespace sphaera::query
