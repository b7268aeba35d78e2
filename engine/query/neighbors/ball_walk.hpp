#pragma once
/// \file The spheres that meet a ball.

#include <query/batch/batch.hpp>
#include <query/batch/leaf_visit.hpp>
#include <query/batch/spheres_at_time.hpp>
#include <query/neighbors/image_walk.hpp>

namespace sphaera::query {

/// A walk through the spheres that meet a ball: calls found.add(id) for each. But if the filter lets all
/// spheres pass, those that meet the ball for certain are added by found.add_lanes(lanes) if Found has that,
/// else full leaf blocks of them by found.add_block(ids). If Found has takes(id), it may refuse a sphere.
template <class Found>
struct BallWalk : index::PointWalk, SphereFilter {
  SpheresAtTime at_time;
  exact::Counts counts;
  const Ball& ball;
  Found& found;

  BallWalk(const Ball& b, const SpheresAtTime& at, const SphereFilter& filter, Found& f)
      : PointWalk(b.center, callbacks_of<BallWalk>()),
        SphereFilter(filter),
        at_time(at),
        ball(b),
        found(f),
        all_count_(!layers && !ignored_owners.owners && ignore < 0 && also_ignore < 0 && !nothing &&
                   !accept) {
    search_radius = b.radius, time = at.time;
  }

  template <class Arithmetic>
  SPHAERA_INLINE index::TraversalControl test_block(const index::LeafIds& ids, const index::LaneHits& hits) {
    index::LaneSet lanes = hits.maybe;
    if constexpr (requires { found.add_lanes(hits.surely); }) {
      if (all_count_) {
        found.add_lanes(hits.surely);
        candidates += static_cast<std::uint64_t>(std::popcount(hits.surely));
        lanes &= ~hits.surely;
      }
    } else if (hits.surely == index::all_lanes && all_count_) {
      found.add_block(ids);
      candidates += index::leaf_block_size;
      lanes = 0;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      const std::uint32_t id = ids[lane];
      if (id == index::no_sphere)
        break;  // the float filter did not run: all lanes are given, empty ones last
      ++candidates;
      const bool meets = hits.surely >> lane & 1;
      if (admits(id) && (meets || at_time.sign_gap(ball, id, counts) <= 0) && takes(id) && accepts(id))
        found.add(id);
    }
    return index::TraversalControl::go_on;
  }

 private:
  SPHAERA_INLINE bool takes(std::uint32_t id) {
    if constexpr (requires { found.takes(id); })
      return found.takes(id);
    else
      return true;
  }

  bool all_count_;  ///< the filter lets all spheres pass
};

/// Adds the spheres that meet the ball of query i, then calls found.finish(at_time, counts).
template <class Found>
SPHAERA_INLINE void find_in_ball(const SceneState& state, const PeriodicBox& box, const Ball& ball,
                                 const QueryOptions& options, std::size_t i, Found& found,
                                 QueryStats& stats) {
  if (sees_nothing(state, options)) return;
  BallWalk<Found> walk(ball, spheres_at_time(state, options, i), {state, options, i}, found);
  find_around(state, options, walk);
  if (box.is_given()) [[unlikely]]
    find_images_in_ball(state, box, ball, options, i, found, stats);
  found.finish(walk.at_time, walk.counts);
  count(walk, stats);
}

}  // namespace sphaera::query
