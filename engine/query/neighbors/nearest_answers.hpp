#pragma once
/// \file The k spheres nearest to points, which are answered one after another.

#include <array>
#include <cmath>
#include <query/batch/batch.hpp>
#include <query/neighbors/nearest_list.hpp>
#include <query/neighbors/neighbor_block.hpp>

namespace sphaera::query {

/// A walk that collects the nearest spheres.
struct Nearest : index::PointWalk, SphereFilter {
  SpheresAtTime at_time;
  exact::Counts counts;
  NearestList list;

  Nearest(const Vec3& p, Visit v, const SpheresAtTime& at, const SphereFilter& e, const NearestList& l)
      : PointWalk(p, v), SphereFilter(e), at_time(at), list(l) {
    time = at.time;
  }

  /// The order (|X − C| − r, id): exact where the bounds overlap.
  auto order() {
    return [this](const NeighborCandidate& a, const NeighborCandidate& b) {
      if (a.high < b.low) return true;
      if (b.high < a.low) return false;
      const int order = at_time.compare_distances(point, a.sphere, b.sphere, counts);
      return order != 0 ? order < 0 : a.sphere < b.sphere;
    };
  }

  template <class Arithmetic>
  SPHAERA_INLINE NeighborCandidate bounds(std::uint32_t id) const {
    const exact::filter::Estimate d = at_time.distance<Arithmetic>(point, id);
    return {id, d.value - d.error, d.value + d.error};
  }

  template <class Arithmetic>
  SPHAERA_INLINE static index::TraversalControl test(Nearest& q, std::uint32_t id) {
    if (!q.admits(id)) return index::TraversalControl::go_on;
    const double before = q.reach;
    q.add(q.bounds<Arithmetic>(id));
    return q.thin_out(before);
  }

  template <class Arithmetic>
  SPHAERA_INLINE index::TraversalControl test_block(const index::LeafIds& ids, const index::LaneHits& hits) {
    const double before = reach;
    for (index::LaneSet lanes = hits.maybe; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      const std::uint32_t id = ids[lane];
      if (id == index::no_sphere) break;  // without floats: the empty lanes come last
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
    if (!(nearby.low <= reach) || !list.may_be_among(nearby, order()) || !accepts(nearby.sphere)) return;
    if (list.wanted() == 1 && nearby.high < reach) reach = nearby.high;
    list.add(nearby);
  }
  SPHAERA_INLINE index::TraversalControl thin_out(double before) {
    if (list.is_full()) reach = std::min(reach, list.thin_out(order()));
    return reach < before ? index::TraversalControl::limit_reduced : index::TraversalControl::go_on;
  }
};

/// Up to this many are kept on the stack.
inline constexpr std::size_t few_neighbors = 16;
/// Up to this many of the last answer are measured again from the next point.
inline constexpr std::size_t few_to_measure = 8;

/// Answers points one after another. The spheres nearest to the last point bound the distances of those that
/// are nearest to the next one.
template <class Arithmetic>
class NearestAnswers {
 public:
  NearestAnswers(const SceneState& state, const QueryOptions& options, std::span<Neighbor> out, std::size_t k,
                 TaskScratch& scratch, QueryStats& stats)
      : state_(state),
        options_(options),
        out_(out),
        k_(k),
        wanted_(std::min(k, state.spheres.span().size())),
        scratch_(scratch),
        stats_(stats),
        block_(state.spheres.span().data()),
        bounded_(options.search == Search::index && !options.accept && options.times.empty()),
        same_spheres_(options.ignore.empty() && options.layers_each.empty() &&
                      options.ignore_owners.empty()) {
    const std::size_t room = NearestList::room_for(wanted_);
    if (wanted_ > few_neighbors && scratch_.neighbors.size() < room) scratch_.neighbors.resize(room);
  }

  /// Answers query i, about `point`; its row is out[row·k …].
  SPHAERA_INLINE void answer(const Vec3& point, std::size_t i, std::size_t row, const SphereFilter& filter) {
    if (wanted_ == 0 || sees_nothing(state_, options_)) return fill(row, 0);
    const std::span<NeighborCandidate> room =
        wanted_ > few_neighbors ? std::span(scratch_.neighbors) : std::span(few_);
    Nearest walk(point, visit_of<Nearest, index::PointWalk, Arithmetic>(),
                 spheres_at_time(state_, options_, i), filter,
                 {wanted_, state_.scene_index->top().frame().scale(), room});
    if (bounded_) walk.reach = start_reach(walk);
    walk_scene<Arithmetic>(state_, options_, walk, &index::SceneIndex::around,
                           &embree_index::EmbreeIndex::around);
    const std::span<const NeighborCandidate> nearest = walk.list.in_order(walk.order());
    write(walk, nearest, row);
    fill(row, nearest.size());
    count(walk, stats_);
  }

  /// Writes the distances that are still to be computed.
  void finish() { block_.write(out_.data()); }

 private:
  /// An upper bound of the distance of the kth nearest sphere, derived from the previous answer.
  SPHAERA_INLINE double start_reach(const Nearest& walk) const {
    if (last_.size() < wanted_) return infinity;
    std::int64_t spare =
        last_ignored_ >= 0 && walk.admits(static_cast<std::uint32_t>(last_ignored_)) ? last_ignored_ : -1;
    if (same_spheres_ && wanted_ > few_to_measure && spare == last_ignored_) {
      // The distance of the last of the nearest changes by no more than the point moves.
      constexpr double slack = 1 + 0x1p-48;
      const Vec3 step = walk.point - last_point_;
      const double moved = std::sqrt(dot(step, step)) * slack;
      if (moved < 0.25 * std::fabs(last_high_))
        return last_high_ + moved + 0x1p-48 * (std::fabs(last_high_) + moved) + 0x1p-500;
    }
    double reach = -infinity;
    for (const Neighbor& neighbor : last_) {
      std::int64_t id = neighbor.sphere;
      if (!walk.admits(static_cast<std::uint32_t>(id))) id = std::exchange(spare, -1);
      if (id < 0) return infinity;
      reach = std::max(reach, walk.bounds<Arithmetic>(static_cast<std::uint32_t>(id)).high);
    }
    return reach;
  }

  /// The rest of a row, for lack of spheres.
  SPHAERA_INLINE void fill(std::size_t row, std::size_t found) {
    std::ranges::fill(out_.subspan(row * k_ + found, k_ - found), Neighbor{});
  }

  SPHAERA_INLINE void write(const Nearest& walk, std::span<const NeighborCandidate> nearest,
                            std::size_t row) {
    for (std::size_t j = 0; j < nearest.size(); ++j) {
      const std::size_t place = row * k_ + j;
      if (walk.at_time.velocities) [[unlikely]]
        out_[place] = {walk.at_time.signed_distance(walk.point, nearest[j].sphere), nearest[j].sphere};
      else
        block_.add(walk.point, nearest[j].sphere, out_.data(), place);
    }
    last_ = out_.subspan(row * k_, nearest.size());
    if (nearest.empty()) return;
    last_point_ = walk.point, last_high_ = nearest.back().high;
    last_ignored_ = -1;
    if (walk.ignore < 0 || !bounded_) return;
    const auto ignored = static_cast<std::uint32_t>(walk.ignore);
    if (!state_.is_enabled(ignored)) return;
    last_ignored_ = walk.ignore;
    if (same_spheres_) last_high_ = std::max(last_high_, walk.bounds<Arithmetic>(ignored).high);
  }

  const SceneState& state_;
  const QueryOptions& options_;
  std::span<Neighbor> out_;
  std::size_t k_, wanted_;
  TaskScratch& scratch_;
  QueryStats& stats_;
  NeighborBlock block_;
  bool bounded_;
  bool same_spheres_;               ///< all points see the same spheres, each without the one it ignores
  std::span<const Neighbor> last_;  ///< the answer to the last query
  Vec3 last_point_;
  double last_high_ = infinity;  ///< upper bound of its greatest distance, and of the ignored sphere's
  /// The enabled sphere that the last query ignored, −1: none. It stands in for a sphere of the last answer
  /// that the next query ignores.
  std::int64_t last_ignored_ = -1;
  std::array<NeighborCandidate, NearestList::room_for(few_neighbors)> few_;
};

}  // namespace sphaera::query
