#pragma once
/// \file Walks without the scene's index: through all spheres or Embree's index.

#include <index/tree/walk.hpp>
#include <scene/state.hpp>

namespace sphaera::query {

/// The index if the options ask for it, else null.
inline const index::SceneIndex* index_for(const SceneState& state, const QueryOptions& options) {
  return options.search == Search::index ? state.scene_index.get() : nullptr;
}

/// Walk where index_for() is null: Search::brute_force visits all spheres by id until a visit returns stop,
/// Search::embree walks the index that `prepare_search` has built.
void search_otherwise(const SceneState& state, const QueryOptions& options, index::PathWalk& walk,
                      index::VisitOrder order);
void search_otherwise(const SceneState& state, const QueryOptions& options, index::FlightWalk& walk,
                      index::VisitOrder order);
void search_otherwise(const SceneState& state, const QueryOptions& options, index::PointWalk& walk);
/// By brute force only.
void search_otherwise(const SceneState& state, index::ConeWalk& walk);

/// Walks about a point through the index that the options ask for.
inline void find_around(const SceneState& state, const QueryOptions& options, index::PointWalk& walk) {
  if (const index::SceneIndex* const scene_index = index_for(state, options))
    scene_index->around(walk);
  else
    search_otherwise(state, options, walk);
}

}  // namespace sphaera::query
