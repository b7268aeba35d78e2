#pragma once
/// \file The k spheres nearest to each of many points, which are answered one after another.

#include <array>
#include <cmath>
#include <query/batch/batch.hpp>
#include <query/neighbors/nearest_images.hpp>
#include <query/neighbors/nearest_in_group.hpp>
#include <query/neighbors/nearest_walk.hpp>
#include <query/neighbors/neighbor_block.hpp>
#include <query/neighbors/point_groups.hpp>

namespace sphaera::query {

/// A distance within which a group's points are expected to find their k nearest spheres: the average
/// distance of the kth sphere, and a surplus that grows when the radius was too small and shrinks when it was
/// too large. No answer depends on this radius (compared: ../../index/decisions.md).
class ExpectedRadius {
 public:
  bool is_known() const { return surplus_ > 0; }
  /// `distance` and `radius` are those of a kth sphere. If spheres lie at random, the number n of spheres in
  /// a ball varies by √n.
  void start(double distance, double radius, std::size_t k) {
    const double n = static_cast<double>(k), many = n + 3 * std::sqrt(n) + 3;
    average_ = distance;
    set_surplus((std::cbrt(many / n) - 1) * (std::fabs(distance) + radius));
  }
  void begin_group() {
    set_surplus(surplus_ * (too_small_ ? 1.25 : too_large_ ? 0.8 : 0.99));
    too_small_ = too_large_ = false;
  }
  double value() const { return average_ + surplus_; }

  void found(double distance) { average_ += 0.125 * (distance - average_); }
  void was_too_small() { too_small_ = true; }
  void was_too_large() { too_large_ = true; }

 private:
  static constexpr double least = 0x1p-480, most = 0x1p900;

  void set_surplus(double surplus) { surplus_ = std::clamp(surplus, least, most); }

  double average_ = 0, surplus_ = 0;
  bool too_small_ = false, too_large_ = false;
};

/// Up to this k, the candidates are kept on the stack.
inline constexpr std::size_t few_neighbors = 16;
/// Up to this k, the spheres of the last answer are measured again from the next point, to bound its answer.
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
        same_spheres_(options.ignore.empty() && options.also_ignore.empty() && options.layers_each.empty() &&
                      !ignores_owners(options)) {
    const std::size_t room = NearestList::room_for(wanted_);
    if (wanted_ > few_neighbors && scratch_.neighbors.size() < room) scratch_.neighbors.resize(room);
  }

  /// Answers all queries of a piece. The row of query i is out[(i − first)·k …]; ignored_of(i) is the sphere
  /// that it ignores, −1: none.
  template <class Input, class IgnoredOf>
  SPHAERA_INLINE void answer(const QueryPiece<Input>& piece, std::size_t first, const IgnoredOf& ignored_of) {
    const bool few = wanted_ > 0 && wanted_ <= NearestInGroup::max_k;
    PointGroups groups(state_, options_, PointGroups::Gathering{few}, scratch_, NearbySpheres::Order::any);
    const auto answer_next = [&](std::size_t i, std::size_t j) SPHAERA_INLINE_LAMBDA {
      const std::int64_t ignored = ignored_of(i);
      const Vec3& point = place_of(piece.inputs[i]);
      if (groups.needs_group(j)) begin_group(groups, piece, j);
      if (!groups.nearby() || !answer_in_group(*groups.nearby(), point, i - first, ignored))
        answer_alone(point, i, i - first, ignored);
    };
    piece.each_numbered_into(out_, answer_next, k_, first);
    if (!has_box(options_)) [[likely]]
      return;
    finish();
    piece.each([&](std::size_t i) { put_images(place_of(piece.inputs[i]), i, i - first, ignored_of(i)); });
  }

  /// Answers query i alone, also in a periodic box.
  SPHAERA_INLINE void answer_single(const Vec3& point, std::size_t i, std::int64_t ignored) {
    answer_alone(point, i, 0, ignored);
    finish();
    if (has_box(options_)) [[unlikely]]
      put_images(point, i, 0, ignored);
  }

  /// Answers query i, about `point`, by a walk; its row is out[row·k …].
  SPHAERA_INLINE void answer_alone(const Vec3& point, std::size_t i, std::size_t row, std::int64_t ignored) {
    if (wanted_ == 0 || sees_nothing(state_, options_)) return fill(row, 0);
    SphereFilter filter(state_, options_, i);
    filter.ignore = ignored;
    Nearest walk(point, spheres_at_time(state_, options_, i), filter,
                 {wanted_, state_.scene_index->top().frame().scale(), room()});
    if (bounded_) walk.search_radius = start_radius(walk);
    find_around(state_, options_, walk);
    const std::span<const NeighborCandidate> nearest = walk.list.in_order(walk.order());
    write(walk.at_time, point, nearest, row);
    remember(walk.at_time, point, ignored, nearest, row);
    fill(row, nearest.size());
    count(walk, stats_);
  }

  /// Writes the distances that are still to be computed.
  void finish() { block_.write(out_.data()); }

 private:
  /// For candidates.
  SPHAERA_INLINE std::span<NeighborCandidate> room() {
    return wanted_ > few_neighbors ? std::span(scratch_.neighbors) : std::span(walk_room_);
  }

  /// Writes the row of query i again, from the nearest images of the spheres. It has been written.
  void put_images(const Vec3& point, std::size_t i, std::size_t row, std::int64_t ignored) {
    put_nearest_images(state_, options_, {point, i, ignored}, wanted_, room(), out_.subspan(row * k_, k_),
                       stats_);
  }

  /// An upper bound of the distance of the kth nearest sphere, derived from the previous answer.
  SPHAERA_INLINE double start_radius(const Nearest& walk) const {
    if (last_answer_.size() < wanted_) return infinity;
    std::int64_t spare =
        last_ignored_ >= 0 && walk.admits(static_cast<std::uint32_t>(last_ignored_)) ? last_ignored_ : -1;
    if (same_spheres_ && wanted_ > few_to_measure && spare == last_ignored_) {
      // The distance of the kth nearest sphere changes by no more than the point moves.
      const double moved = distance_limit(walk.point, last_point_);
      if (moved < 0.25 * std::fabs(last_high_)) return sum_limit(last_high_, moved);
    }
    double search_radius = -infinity;
    for (const Neighbor& neighbor : last_answer_) {
      std::int64_t id = neighbor.sphere;
      if (!walk.admits(static_cast<std::uint32_t>(id))) id = std::exchange(spare, -1);
      if (id < 0) return infinity;
      search_radius = std::max(search_radius, walk.bounds<Arithmetic>(static_cast<std::uint32_t>(id)).high);
    }
    return search_radius;
  }

  /// Fills the rest of a row if fewer than k spheres were found.
  SPHAERA_INLINE void fill(std::size_t row, std::size_t found) {
    std::ranges::fill(out_.subspan(row * k_ + found, k_ - found), Neighbor{});
  }

  SPHAERA_INLINE void write(const SpheresAtTime& at_time, const Vec3& point,
                            std::span<const NeighborCandidate> nearest, std::size_t row) {
    for (std::size_t j = 0; j < nearest.size(); ++j) {
      const std::size_t place = row * k_ + j;
      if (at_time.velocities) [[unlikely]]
        out_[place] = {at_time.signed_distance(point, nearest[j].sphere), nearest[j].sphere};
      else
        block_.add(point, nearest[j].sphere, out_.data(), place);
    }
  }

  /// Keeps an answer, which bounds the next one.
  SPHAERA_INLINE void remember(const SpheresAtTime& at_time, const Vec3& point, std::int64_t ignored,
                               std::span<const NeighborCandidate> nearest, std::size_t row) {
    last_answer_ = out_.subspan(row * k_, nearest.size());
    if (nearest.empty()) return;
    last_point_ = point, last_high_ = nearest.back().high;
    expected_.found(last_high_);
    last_ignored_ = -1;
    if (ignored < 0 || !bounded_ || !state_.is_enabled(static_cast<std::uint32_t>(ignored))) return;
    last_ignored_ = ignored;
    if (!same_spheres_) return;
    const exact::filter::Estimate d =
        at_time.distance<Arithmetic>(point, static_cast<std::uint32_t>(ignored));
    last_high_ = std::max(last_high_, d.value + d.error);
  }

  /// Begins a group from query number j of a piece on.
  template <class Input>
  SPHAERA_INLINE void begin_group(PointGroups& groups, const QueryPiece<Input>& piece, std::size_t j) {
    if (last_answer_.size() < wanted_) return groups.begin_alone(j);
    if (!expected_.is_known())
      expected_.start(last_high_,
                      state_.spheres.span()[static_cast<std::size_t>(last_answer_.back().sphere)].radius,
                      wanted_);
    bool tried = false;
    const PointGroups::Expected expected{wanted_, 4 * wanted_ + 32};
    groups.begin(piece, j, expected, [&](const PointRun& run) SPHAERA_INLINE_LAMBDA {
      tried = true;
      expected_.begin_group();
      const double moved = sum_limit(distance_limit(run.middle, last_point_), run.spread);
      group_radius_ = std::min(radius_after(moved), expected_.value());
      return sum_limit(group_radius_, run.spread);
    });
    if (tried && !groups.nearby()) expected_.was_too_large();
  }

  /// A distance that the kth nearest sphere of a point seldom exceeds, where `moved` is the distance from the
  /// last point: the kth distance grows by no more than that, unless the sphere that the last query ignored
  /// is on none of the options' layers.
  SPHAERA_INLINE double radius_after(double moved) const {
    return same_spheres_ ? sum_limit(last_high_, moved) : infinity;
  }

  /// Answers a query of a group; its row is out[row·k …]. False if it is to be answered by a walk.
  SPHAERA_INLINE bool answer_in_group(const NearbySpheres& nearby, const Vec3& point, std::size_t row,
                                      std::int64_t ignored) {
    const std::optional<index::LocalPoint> local = state_.scene_index->top().frame().local(point);
    if (!local) return false;
    // Where many are wanted, a smaller search radius is worth its cost.
    double search_radius = group_radius_;
    if (wanted_ > few_to_measure)
      search_radius = std::min(search_radius, radius_after(distance_limit(point, last_point_)));
    const SpheresAtTime at_rest{state_.spheres.span().data()};
    exact::Counts counts;
    const DistanceOrder nearer{at_rest, point, counts};
    std::span<const NeighborCandidate> nearest;
    std::size_t tested = nearby.size();
    if (wanted_ == 1) {
      nearest = in_group_.template nearest_one<Arithmetic>(nearby, *local, ignored, nearer);
    } else if (in_group_.template collect<Arithmetic>(nearby, *local, search_radius, ignored)) {
      tested = in_group_.size();
      nearest = in_group_.nearest(wanted_, nearer);
    } else {
      expected_.was_too_large();
      return false;
    }
    count(tested, counts, stats_);
    // Spheres beyond the search radius may not have been collected.
    if (nearest.size() < wanted_ || !(nearest.back().high <= search_radius)) {
      if (search_radius == group_radius_) expected_.was_too_small();
      return false;
    }
    write(at_rest, point, nearest, row);
    remember(at_rest, point, ignored, nearest, row);
    fill(row, nearest.size());
    return true;
  }

  const SceneState& state_;
  const QueryOptions& options_;
  std::span<Neighbor> out_;
  std::size_t k_, wanted_;
  TaskScratch& scratch_;
  QueryStats& stats_;
  NeighborBlock<Vec3> block_;
  bool bounded_;
  bool same_spheres_;  ///< all points see the same spheres, each without the one it ignores
  std::span<const Neighbor> last_answer_;  ///< the answer to the last query
  Vec3 last_point_;
  /// Upper bound of the distances in `last_answer_`, and of the ignored sphere's.
  double last_high_ = infinity;
  /// The enabled sphere that the last query ignored, −1: none. It stands in for a sphere of the last answer
  /// that the next query ignores.
  std::int64_t last_ignored_ = -1;
  /// Candidates of a walk, for k up to `few_neighbors`.
  std::array<NeighborCandidate, NearestList::room_for(few_neighbors)> walk_room_;
  ExpectedRadius expected_;
  /// All spheres within this search radius of the current group's points are gathered.
  double group_radius_ = 0;
  NearestInGroup in_group_;
};

}  // namespace sphaera::query
