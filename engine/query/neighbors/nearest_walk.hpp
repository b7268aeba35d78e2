#pragma once
/// \file The walk about a point that collects the nearest spheres.

#include <query/batch/batch.hpp>
#include <query/batch/leaf_visit.hpp>
#include <query/batch/spheres_at_time.hpp>
#include <query/neighbors/nearest_list.hpp>

namespace sphaera::query {

/// Orders candidates by signed distance from `point`, then by id; decided exactly where their bounds overlap.
struct DistanceOrder {
  const SpheresAtTime& at_time;
  const Vec3& point;
  exact::Counts& counts;

  bool operator()(const NeighborCandidate& a, const NeighborCandidate& b) const {
    if (a.high < b.low) return true;
    if (b.high < a.low) return false;
    const int order = at_time.compare_distances(point, a.sphere, b.sphere, counts);
    return order != 0 ? order < 0 : a.sphere < b.sphere;
  }
};

/// A walk that collects the nearest spheres.
struct Nearest : index::PointWalk, SphereFilter {
  SpheresAtTime at_time;
  mutable exact::Counts counts;
  NearestList list;

  Nearest(const Vec3& p, const SpheresAtTime& at, const SphereFilter& filter, const NearestList& l)
      : PointWalk(p, callbacks_of<Nearest>()), SphereFilter(filter), at_time(at), list(l) {
    time = at.time;
  }

  /// Of equal spheres the one with the lowest id is the nearest. It stands for the others if only one is
  /// wanted or k spheres come before it, unless `accept` may refuse it.
  bool settles_equals(std::uint32_t id) const {
    if (accept || !admits(id)) return false;
    return list.wanted() == 1 || !list.may_be_among(bounds<exact::Plain>(id), order());
  }

  DistanceOrder order() const { return {at_time, point, counts}; }

  template <class Arithmetic>
  SPHAERA_INLINE NeighborCandidate bounds(std::uint32_t id) const {
    const exact::filter::Estimate d = at_time.distance<Arithmetic>(point, id);
    return {id, d.value - d.error, d.value + d.error};
  }

  template <class Arithmetic>
  SPHAERA_INLINE index::TraversalControl test_block(const index::LeafIds& ids, const index::LaneHits& hits) {
    const double before = search_radius;
    for (index::LaneSet lanes = hits.maybe; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      const std::uint32_t id = ids[lane];
      if (id == index::no_sphere)
        break;  // the float filter did not run: all lanes are given, empty ones last
      ++candidates;
      if (!admits(id)) continue;
      const bool known = hits.bounded >> lane & 1;
      add(known ? NeighborCandidate{id, distances.low[lane] * distances.unit,
                                    distances.high[lane] * distances.unit}
                : bounds<Arithmetic>(id));
    }
    return thin_out(before);
  }

 private:
  SPHAERA_INLINE void add(const NeighborCandidate& nearby) {
    if (!(nearby.low <= search_radius) || !list.may_be_among(nearby, order()) || !accepts(nearby.sphere))
      return;
    if (list.wanted() == 1 && nearby.high < search_radius) search_radius = nearby.high;
    list.add(nearby);
  }
  SPHAERA_INLINE index::TraversalControl thin_out(double before) {
    if (list.is_full()) search_radius = std::min(search_radius, list.thin_out(order()));
    return search_radius < before ? index::TraversalControl::limit_reduced : index::TraversalControl::go_on;
  }
};

}  // namespace sphaera::query
