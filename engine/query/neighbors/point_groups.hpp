#pragma once
/// \file Points or balls of a piece that lie close together, and the spheres near all of them.

#include <algorithm>
#include <cmath>
#include <query/batch/batch.hpp>
#include <query/neighbors/limits.hpp>
#include <query/neighbors/nearby_spheres.hpp>

namespace sphaera::query {

SPHAERA_INLINE double radius_of(const Vec3&) { return 0; }
SPHAERA_INLINE double radius_of(const Sphere&) { return 0; }  // a query about its center
SPHAERA_INLINE double radius_of(const Ball& ball) { return ball.radius; }

/// Consecutive queries within a distance of the first, of similar radii.
struct PointRun {
  std::size_t count = 1;
  Vec3 middle;
  double spread;      ///< upper bound of their distances from `middle`
  double next = 0;    ///< distance from the first to the query after them, if that is too far away
  double radius = 0;  ///< the greatest; 0 for points
};

/// Splits a piece into groups. A group shares one walk, which gathers the spheres near it, but each of its
/// points also tests the spheres that are near the others only. So the width of groups follows the numbers of
/// spheres gathered (../../index/decisions.md).
class PointGroups {
 public:
  /// May spheres be gathered? Not if the options or the scene forbid it: queries must differ in nothing but
  /// place, radius and ignored sphere.
  enum class Gathering : bool { never, allowed };
  /// Throws std::bad_alloc.
  PointGroups(const SceneState& state, const QueryOptions& options, Gathering gathering, TaskScratch& scratch,
              NearbySpheres::Order order)
      : state_(state), options_(options), order_(order), shared_(state, options, 0) {
    shared_.ignore = -1;
    if (gathering == Gathering::never || options.search != Search::index || options.accept ||
        !options.times.empty() || !options.layers_each.empty() || !options.also_ignore.empty() ||
        ignores_owners(options) || sees_nothing(state, options) || !state.scene_index->can_gather())
      return;
    if (!scratch.nearby) scratch.nearby = std::make_unique_for_overwrite<NearbySpheres>();
    nearby_ = scratch.nearby.get();
  }

  /// Can it gather, and does the current group end before query number j of the piece? Then begin one.
  bool needs_group(std::size_t j) const { return nearby_ && j >= end_; }
  /// The spheres near the current group; null if its queries are to be answered by walks.
  const NearbySpheres* nearby() const { return gathered_ ? nearby_ : nullptr; }

  /// A group of query number j alone, to be answered by a walk.
  void begin_alone(std::size_t j) { end_ = j + 1, gathered_ = false; }
  /// What a group is expected to gather.
  struct Expected {
    std::size_t wanted;        ///< spheres that each query is about to find
    std::size_t most_a_query;  ///< gathered spheres for each query, up to which a group costs less than walks
  };
  /// Begins a group at query number j. radius_of(run) is the search radius about run.middle.
  /// Precondition: needs_group(j).
  template <class Input, class RadiusOf>
  SPHAERA_INLINE void begin(const QueryPiece<Input>& piece, std::size_t j, const Expected& expected,
                            const RadiusOf& radius_of) {
    begin_alone(j);
    if (pause_-- > 0) return;
    pause_ = 0;
    const PointRun run = run_from(piece, j);
    gathered_ = nearby_->gather(*state_.scene_index, run.middle, radius_of(run), shared_, order_);
    if (!gathered_) {
      set_width(0.25 * width_);
      if (run.count == 1 || failed_) pause();
      failed_ = true;
      return;
    }
    failed_ = false;
    end_ = j + run.count;
    const std::size_t best = 3 * expected.wanted + 2 * run.count + 32;
    set_width(nearby_->size() > best ? 0.8 * width_ : 1.25 * std::max(width_, 0x1p-6 * run.next));
    if (nearby_->size() / run.count > expected.most_a_query)
      pause();
    else
      last_pause_ = 0;
  }

 private:
  template <class Input>
  SPHAERA_INLINE PointRun run_from(const QueryPiece<Input>& piece, std::size_t j) {
    const Input& input = piece.inputs[piece.block.query(j)];
    const Vec3 first = place_of(input);
    Vec3 lower = first, upper = first;
    PointRun run;
    double least = run.radius = radius_of(input);
    for (std::size_t at = j + 1; at < std::min(j + most_points, piece.end); ++at) {
      const std::size_t i = piece.block.query(at);
      if (is_skipped(options_, i)) break;
      const double radius = radius_of(piece.inputs[i]);
      if (!(std::max(run.radius, radius) <= 2 * std::min(least, radius) + width_)) break;
      const Vec3 p = place_of(piece.inputs[i]), step = p - first;
      const double square = dot(step, step);
      if (width_ == 0) set_width(std::sqrt(square));
      if (!(square <= width_ * width_)) {
        run.next = std::sqrt(square);
        break;
      }
      lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
      upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
      least = std::min(least, radius), run.radius = std::max(run.radius, radius);
      ++run.count;
    }
    run.middle = 0.5 * lower + 0.5 * upper;
    const Vec3 above = upper - run.middle, below = run.middle - lower;
    run.spread =
        length_limit({std::max(above.x, below.x), std::max(above.y, below.y), std::max(above.z, below.z)});
    return run;
  }
  /// Answers the next queries by walks, four times as many as last time.
  void pause() { pause_ = last_pause_ = std::min(4 * last_pause_ + 3, longest_pause); }
  void set_width(double width) { width_ = std::clamp(width, least_width, most_width); }

  static constexpr std::size_t most_points = 32;
  static constexpr double least_width = 0x1p-480, most_width = 0x1p480;
  static constexpr std::ptrdiff_t longest_pause = 63;

  const SceneState& state_;
  const QueryOptions& options_;
  NearbySpheres::Order order_;
  SphereFilter shared_;  ///< of all queries, without their ignored spheres
  NearbySpheres* nearby_ = nullptr;
  bool gathered_ = false;
  std::size_t end_ = 0;
  double width_ = 0;
  bool failed_ = false;                        ///< the last call of `gather` has
  std::ptrdiff_t pause_ = 0, last_pause_ = 0;  ///< queries to be answered by walks
};

}  // namespace sphaera::query
