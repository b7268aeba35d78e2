#pragma once
/// \file Runs a query about paths: a batch in pieces or a single one, among spheres at rest or at an instant,
/// alone or in groups, through the scene's index, a star's, Embree's or none.
///
/// A query file has objects that write its answers (`Answers`); they derive from PathAnswers. They have
/// - Walk<ScenePath>: what walks look for (path_walks.hpp);
/// - put(i, walk): writes the answer of query i, once its walk is done;
/// - for batches `walk_order`, rows(), whose items are prefetched, and a constructor from the scene's state,
///   a piece (of lists: a ListPiece) and the output.

#include <index/viewpoint/viewpoint_faces.hpp>
#include <query/batch/list_answers.hpp>
#include <query/path/path_walks.hpp>
#include <query/path/walk_group.hpp>

namespace sphaera::query {

/// What most answers do not need.
struct PathAnswers {
  /// Called before a walk: false if the answer is known already.
  template <class Walk>
  static constexpr bool begin(Walk&) {
    return true;
  }
  /// May paths of a batch walk together? Then begin() is not called for them.
  static constexpr bool walks_together() { return true; }
  /// Called after the last answer of a piece.
  static constexpr void finish() {}
};

/// Walks along a path: through the star's index if that is not null and can answer the path, else through the
/// index that the options ask for. `Walk`: index::PathWalk or FlightWalk.
template <index::VisitOrder order, class Walk>
void find(const SceneState& state, const QueryOptions& options, Walk& walk,
          const index::ViewpointFaces* star = nullptr) {
  if (sees_nothing(state, options) || !(walk.path.t_min <= walk.path.t_max)) return;
  if constexpr (std::is_same_v<Walk, index::PathWalk>)
    if (star && (order == index::VisitOrder::any ? star->any(walk) : star->nearest_first(walk))) return;
  const index::SceneIndex* const scene_index = index_for(state, options);
  if (!scene_index) [[unlikely]]
    return search_otherwise(state, options, walk, order);
  if constexpr (order == index::VisitOrder::any)
    scene_index->any(walk);
  else
    scene_index->nearest_first(walk);
}

/// Answers query i by a walk of its own.
template <class Walk, class Answers>
SPHAERA_INLINE void answer_path(const SceneState& state, const QueryOptions& options, std::size_t i,
                                Walk& walk, const index::ViewpointFaces* star, Answers& answers,
                                QueryStats& stats) {
  using Base = typename Walk::ScenePath::Walk;
  if (answers.begin(walk)) find<Walk::order, Base>(state, options, walk, star);
  answers.put(i, walk);
  count(walk, stats);
}

/// Answers a piece of paths among spheres at rest. They walk together where that is possible.
template <class Answers, class Input>
SPHAERA_INLINE void answer_at_rest(const SceneState& state, const QueryPiece<Input>& piece, Answers& answers,
                                   QueryStats& stats) {
  using Walk = typename Answers::template Walk<PathAtRest>;
  const QueryOptions& options = piece.options;
  const auto& query = callbacks_of<Walk>();
  WalkGroup<Walk> group(state, piece, query);
  const auto done = [&](std::size_t i, Walk& walk) SPHAERA_INLINE_LAMBDA {
    answers.put(i, walk);
    count(walk, stats);
  };
  const auto answer = [&](std::size_t i, const auto& path, auto prepared) SPHAERA_INLINE_LAMBDA {
    if (group.takes_walks() && answers.walks_together() && path.t_min <= path.t_max)
      return group.add(i, path, prepared, done);
    Walk walk({state, path}, query, state, options, i);
    walk.prepared = prepared;
    answer_path(state, options, i, walk, piece.star, answers, stats);
  };
  piece.each_path(index_for(state, options), answers.rows(), answer);
  group.walk(done);
  answers.finish();
}

/// The same where spheres move and each query sees its own instant.
template <class Answers, class Input>
SPHAERA_INLINE void answer_at_instants(const SceneState& state, const QueryPiece<Input>& piece,
                                       Answers& answers, QueryStats& stats) {
  using Walk = typename Answers::template Walk<PathAtInstant>;
  const QueryOptions& options = piece.options;
  const auto& query = callbacks_of<Walk>();
  piece.each_into(answers.rows(), [&](std::size_t i) SPHAERA_INLINE_LAMBDA {
    const exact::Path path = exact::path_of(piece.inputs[i]);
    Walk walk({state, path, options.times[i]}, query, state, options, i);
    answer_path(state, options, i, walk, nullptr, answers, stats);
  });
  answers.finish();
}

template <class Answers, class Input>
SPHAERA_INLINE void answer_piece(const SceneState& state, const QueryPiece<Input>& piece, Answers answers,
                                 QueryStats& stats) {
  if (sees_instants(state, piece.options))
    answer_at_instants(state, piece, answers, stats);
  else
    answer_at_rest(state, piece, answers, stats);
}

/// Answers a batch, each query by one item of `out`.
template <class Answers, class Input, class Item>
void answer_batch(const SceneState& state, std::span<const Input> inputs, std::span<Item> out,
                  const QueryOptions& options) {
  const base::FloatingPointEnvironment mode;
  check_output(out.size(), inputs.size());
  run_pieces<Answers::walk_order>(
      state, inputs, options,
      [&](auto, const QueryPiece<Input>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA { answer_piece(state, piece, Answers(state, piece, out), stats); });
  put_misses(options, out);
}

/// Answers a batch, each query by a list of items.
template <class Answers, class Input, class Item>
void answer_lists(const SceneState& state, std::span<const Input> inputs, Lists<Item>& lists,
                  const QueryOptions& options) {
  const base::FloatingPointEnvironment mode;
  run_lists<Answers::walk_order>(
      state, inputs, lists, options,
      [&](auto, const ListPiece<Input, Item>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA { answer_piece(state, piece.piece, Answers(state, piece), stats); });
}

/// The answer to a single query: Answers(arguments...), which put() was called for.
template <class Answers, class Input, class... Arguments>
Answers answer_single(const SceneState& state, const Input& input, const QueryOptions& options,
                      Arguments&... arguments) {
  using AtRest = typename Answers::template Walk<PathAtRest>;
  using AtInstant = typename Answers::template Walk<PathAtInstant>;
  const base::FloatingPointEnvironment mode;
  Answers answer(arguments...);
  SingleCall call(state, input, options);
  if (!call.is_good()) return answer;
  try {
    const exact::Path path = exact::path_of(input);
    if (sees_instants(state, options)) {
      AtInstant walk({state, path, options.times[0]}, callbacks_of<AtInstant>(), state, options, 0);
      answer_path(state, options, 0, walk, nullptr, answer, call.stats);
    } else {
      AtRest walk({state, path}, callbacks_of<AtRest>(), state, options, 0);
      answer_path(state, options, 0, walk, nullptr, answer, call.stats);
    }
  } catch (...) {
    base::rethrow_with_memory_errors();
  }
  call.count();
  return answer;
}

}  // namespace sphaera::query
