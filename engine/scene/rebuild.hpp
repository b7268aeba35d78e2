#pragma once
/// \file The index of a scene: building it, deciding when to build it again, taking over one that was built
/// in the background.

#include <scene/state.hpp>

namespace sphaera::query {

/// The ids of the enabled spheres, ascending.
std::vector<std::uint32_t> enabled_ids(const SceneState& state);
/// Calls work(members) with the enabled spheres; at least one must be enabled.
template <class Work>
auto with_members(const SceneState& state, const Work& work) {
  if (state.enabled == state.spheres.size()) return work(index::SphereSubset{state.sphere_set(), nullptr});
  const std::vector<std::uint32_t> ids = enabled_ids(state);
  return work(index::SphereSubset{state.sphere_set(), &ids});
}

/// The bounds of the enabled spheres; at least one must be enabled. In the calling arena.
index::SceneBounds bounds_of(const SceneState& state);
/// Builds an index for the enabled spheres with the state's quality, and finds their bounds. In the calling
/// arena. Throws as Scene::build does, and then nothing has changed.
void build_index(SceneState& state, std::stop_token stop, const std::function<void(double)>& progress);
/// Like build_index, but keeps the old index and returns false if memory runs out or a stop is requested.
bool rebuild_index(SceneState& state, std::stop_token stop, const std::function<void(double)>& progress);
/// A change of a scene. `few`: single spheres change. `whole`: all move, and the index is refitted.
enum class Change : std::uint8_t { few, whole };
/// Has the index been replaced by one that was built in the background? `older`: it was fitted to positions
/// from which the spheres may have moved far.
enum class Adopted : std::uint8_t { no, current, older };
/// Before a change: replaces the index by one that was built in the background, if that is ready and better.
/// Before a change of the whole scene it lacks spheres: see BackgroundBuild::take_index_to_move.
Adopted adopt_background(SceneState& state, Change change);
/// After a change: rebuilds the index, at once or in the background, if the options and its cost ask for it.
UpdateResult adapt_index(SceneState& state, const UpdateOptions& options, Change change);
/// The same at the end of an update: `rebuilt` is also true if a change since the last update replaced the
/// index.
UpdateResult finish_update(SceneState& state, const UpdateOptions& options, Change change);

}  // namespace sphaera::query
