#pragma once
/// \file Checks of queries and their options, made before any is answered.

#include <algorithm>
#include <base/first_bad.hpp>
#include <base/validate.hpp>
#include <cmath>
#include <query/batch/check_box.hpp>
#include <query/batch/sphere_filter.hpp>
#include <sphaera/error.hpp>

namespace sphaera::query {

/// Throws the error of options that `check_options` found invalid.
[[noreturn, gnu::cold]] void refuse_options(const QueryOptions& options, std::size_t queries);
/// Throws if an index of a star was not made from the present state of this scene.
void check_viewpoint_indexes(const SceneState& state, std::span<const ViewpointIndex> viewpoint_indexes);
/// Throws if threads or search are invalid, if a span is neither empty nor has one item for each query,
/// or if `check_viewpoint_indexes` throws.
inline void check_options(const SceneState& state, const QueryOptions& options, std::size_t queries) {
  base::check_threads(options.threads);
  const auto fits = [&](const auto& items) { return items.empty() || items.size() == queries; };
  if (options.search > Search::embree || !fits(options.ignore) || !fits(options.also_ignore) ||
      !fits(options.layers_each) || !fits(options.ignore_owners) || !fits(options.also_ignore_owners) ||
      !fits(options.times) || !fits(options.statuses)) [[unlikely]]
    refuse_options(options, queries);
  if (!options.viewpoint_indexes.empty()) [[unlikely]]
    check_viewpoint_indexes(state, options.viewpoint_indexes);
}
/// Is an id to ignore −1 or an id of the scene?
inline bool is_id_or_none(const SceneState& state, std::int64_t id) {
  return id >= -1 && id < static_cast<std::int64_t>(state.spheres.span().size());
}
/// Are the ids that the query ignores?
inline bool ignore_valid(const SceneState& state, const QueryOptions& options, std::size_t query) {
  return is_id_or_none(state, item_or_none(options.ignore, query)) &&
         is_id_or_none(state, item_or_none(options.also_ignore, query));
}
/// Does the scene know where its spheres are at the query's instant?
inline bool time_valid(const SceneState& state, const QueryOptions& options, std::size_t query) {
  if (options.times.empty()) return true;
  const double time = options.times[query];
  if (!state.moves() || time == 0) return base::is_finite(time);
  return state.horizon.from <= time && time <= state.horizon.to;
}
inline bool options_valid(const SceneState& state, const QueryOptions& options, std::size_t query) {
  return ignore_valid(state, options, query) && time_valid(state, options, query);
}
/// Throws if options_valid is false.
void check_options_of(const SceneState& state, const QueryOptions& options, std::size_t query);
/// Does each query have a time of its own, and do spheres move?
inline bool sees_instants(const SceneState& state, const QueryOptions& options) {
  return !options.times.empty() && state.moves();
}

/// Throws invalid_argument if the options ask for Search::embree: called by queries that Embree's index
/// cannot answer.
[[noreturn, gnu::cold]] void refuse_embree(const char* what);
inline void refuse_embree(const QueryOptions& options, const char* what) {
  if (options.search == Search::embree) [[unlikely]]
    refuse_embree(what);
}
/// Throw invalid_argument if the options have times, or `accept`: called by queries that have no use for
/// them.
void refuse_times(const QueryOptions& options, const char* what);
void refuse_accept(const QueryOptions& options, const char* what);
/// The same for `ignore`: called by a query whose inputs are the spheres of the scene.
void refuse_ignore(const QueryOptions& options);

/// Throws if an output span does not have the required size.
void check_output(std::size_t size, std::size_t needed);

/// Can the scene answer this input? A bullet must not start before the time interval: where
/// spheres are then is not known.
template <class Input>
bool answerable(const SceneState&, const Input& input) {
  return base::valid(input);
}
/// A sphere of the scene was checked when it entered the scene.
inline bool answerable(const SceneState&, const Sphere&) { return true; }
inline bool answerable(const SceneState& state, const Bullet& bullet) {
  return base::valid(bullet) && (state.velocities.span().empty() || state.horizon.from <= bullet.start);
}

template <class Input>
void check_input(const SceneState& state, const Input& input, std::int64_t element = Error::no_element) {
  if (answerable(state, input)) [[likely]]
    return;
  if constexpr (std::is_same_v<Input, Bullet>) {
    if (base::valid(input)) base::refuse_start(input, state.horizon.from, element);
  }
  base::refuse(input, element);
}

/// A query is bad if the scene cannot answer it, if it lies outside the periodic box, or if its id to ignore
/// or its time is invalid. With `statuses`, marks each query as ok or skipped. Otherwise throws for the first
/// bad query, unless the options turn the check off.
template <class Input>
void check_queries(const SceneState& state, std::span<const Input> inputs, const QueryOptions& options) {
  const auto good = [&](std::size_t i) {
    return answerable(state, inputs[i]) && fits_box(state, options, inputs[i]) &&
           options_valid(state, options, i);
  };
  if (!options.statuses.empty()) {
    base::parallel_pieces(inputs.size(), base::cheap_items_per_piece,
                          [&](std::size_t begin, std::size_t end) {
                            for (std::size_t i = begin; i < end; ++i)
                              options.statuses[i] = good(i) ? RowStatus::ok : RowStatus::skipped;
                          });
    return;
  }
  if (!options.check_inputs) return;
  const std::size_t bad = base::first_bad_of(inputs.size(), good);
  if (bad == inputs.size()) return;
  check_input(state, inputs[bad], static_cast<std::int64_t>(bad));
  check_fits_box(state, options, inputs[bad], static_cast<std::int64_t>(bad));
  check_options_of(state, options, bad);
}

/// Has `check_queries` marked the query as skipped?
SPHAERA_INLINE bool is_skipped(const QueryOptions& options, std::size_t query) {
  return !options.statuses.empty() && options.statuses[query] == RowStatus::skipped;
}
/// Gives skipped queries, each with `row_size` outputs, the answer of a miss.
template <class Output>
void put_misses(const QueryOptions& options, std::span<Output> out, const Output& miss = {},
                std::size_t row_size = 1) {
  for (std::size_t i = 0; i < options.statuses.size(); ++i)
    if (is_skipped(options, i)) std::ranges::fill(out.subspan(i * row_size, row_size), miss);
}

}  // namespace sphaera::query
