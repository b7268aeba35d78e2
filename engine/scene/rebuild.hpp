#pragma once
/// \file The index of a scene: how it is built, when it is built again, and by whom.

#include <base/arena.hpp>
#include <scene/state.hpp>

namespace sphaera::query {

/// Frees a scene or index on another thread: giving large arrays back to the system takes as long as a refit.
/// Memory of the caller's, which need not outlive the scene for long, it gives back at once.
template <class Item>
void free_beside(Item item, const std::pmr::memory_resource* memory) {
  if (memory) return;
  try {
    base::run_beside([freed = std::make_shared<Item>(std::move(item))] {});
  } catch (const std::bad_alloc&) {
  }
}

/// The bounds of the enabled spheres, of which there is one at least. In the calling arena.
index::SceneBounds bounds_of(const SceneState& state);
/// Builds an index for the enabled spheres with the state's quality, and finds their bounds. In the calling
/// arena. Throws as Scene::build does, and then nothing has changed.
void build_index(SceneState& state, std::stop_token stop, const std::function<void(double)>& progress);
/// The same where the scene has an index that still answers: false if memory or a stop prevented it.
bool rebuild_index(SceneState& state, std::stop_token stop, const std::function<void(double)>& progress);
/// A change of a scene: of single spheres, or all of them move and the index is refitted.
enum class Change : std::uint8_t { few, whole };
/// Before a change: replaces the index by one that was built in the background, if that is ready. True: its
/// spheres may have gone far from where it was fitted to.
bool adopt_background(SceneState& state, Change change);
/// After a change: rebuilds the index if it has degraded and the options want it.
UpdateResult adapt_index(SceneState& state, const UpdateOptions& options, Change change);

}  // namespace sphaera::query
