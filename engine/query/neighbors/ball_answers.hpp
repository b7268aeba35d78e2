#pragma once
/// \file The spheres that meet each of many balls, which are answered one after another.

#include <query/neighbors/ball_in_group.hpp>
#include <query/neighbors/ball_walk.hpp>

namespace sphaera::query {

/// Answers the balls of a piece: those that lie close together from the spheres gathered about them, others
/// by walks.
template <class Arithmetic>
class BallAnswers {
 public:
  /// `order`: in which a group's spheres are found.
  BallAnswers(const SceneState& state, const QueryOptions& options, TaskScratch& scratch, QueryStats& stats,
              NearbySpheres::Order order)
      : state_(state),
        options_(options),
        stats_(stats),
        box_(state, options),
        groups_(state, options, PointGroups::Gathering::allowed, scratch, order) {}

  /// Adds the spheres that meet the ball of query i, number j of the piece, then calls
  /// found.finish(at_time, counts).
  template <class Input, class Found>
  SPHAERA_INLINE void answer(const QueryPiece<Input>& piece, std::size_t i, std::size_t j, Found& found) {
    const Ball& ball = piece.inputs[i];
    if (groups_.needs_group(j)) begin_group(piece, j);
    const NearbySpheres* const nearby = groups_.nearby();
    const std::optional<index::LocalPoint> local =
        nearby ? state_.scene_index->top().frame().local(ball.center) : std::nullopt;
    if (!local) {
      find_in_ball(state_, box_, ball, options_, i, found, stats_);
      return;
    }
    const SpheresAtTime at_rest{state_.spheres.span().data()};
    exact::Counts counts;
    in_group_.template find<Arithmetic>(*nearby, ball, *local, at_rest, ignored_by(options_, i), counts);
    last_count_ = in_group_.ids().size();
    found.add_in_order(in_group_.ids());
    if (box_.is_given()) [[unlikely]]
      find_images_in_ball(state_, box_, ball, options_, i, found, stats_);
    found.finish(at_rest, counts);
    count(in_group_.candidates(), counts, stats_);
  }

 private:
  template <class Input>
  SPHAERA_INLINE void begin_group(const QueryPiece<Input>& piece, std::size_t j) {
    const PointGroups::Expected expected{last_count_, 2 * last_count_ + 6};
    groups_.begin(piece, j, expected, [](const PointRun& run) SPHAERA_INLINE_LAMBDA {
      return sum_limit(run.radius, run.spread);
    });
  }

  const SceneState& state_;
  const QueryOptions& options_;
  QueryStats& stats_;
  PeriodicBox box_;
  PointGroups groups_;
  std::size_t last_count_ = 0;  ///< spheres that the last query of a group has found
  BallInGroup in_group_;
};

}  // namespace sphaera::query
