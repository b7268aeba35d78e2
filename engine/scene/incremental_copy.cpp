#include <scene/incremental_copy.hpp>
#include <utility>

namespace sphaera::query {
namespace {

using index::SceneIndex;

/// Copies the small members, which are not in the journal.
void copy_the_rest(SceneState& to, const SceneState& from) {
  to.keeps_generations = from.keeps_generations;
  to.moving = from.moving, to.horizon = from.horizon, to.bounds = from.bounds;
  to.quality = from.quality, to.memory_limit = from.memory_limit, to.memory = from.memory;
  to.built_for = from.built_for, to.enabled = from.enabled;
  to.rebuilt = from.rebuilt;
  to.degraded_changes = from.degraded_changes, to.background_due = from.background_due;
}

void copy_all(SceneState& to, const SceneState& from, SceneIndex::Purpose purpose) {
  SceneState::each_array([](auto& copied, const auto& array) { base::copy(copied, array); }, to, from);
  to.free_ids.reserve(from.free_ids.capacity());
  to.free_ids = from.free_ids;
  copy_the_rest(to, from);
  if (!from.scene_index) return to.scene_index.reset();
  if (!to.scene_index) to.scene_index = std::make_unique<SceneIndex>();
  to.scene_index->copy(*from.scene_index, to.sphere_set(), purpose);
}

/// Copies an array that is indexed by id: the whole array if `all`, else the items of `ids`.
template <class Item>
void copy_array(base::HugeArray<Item>& to, const base::HugeArray<Item>& from, bool all,
                const base::ChangedItems& ids) {
  if (all) return base::copy(to, from);
  base::copy_changes(to, from, ids);
}

void copy_changes(SceneState& to, const SceneState& from, const Journal& missing,
                  const CopyPurpose& purpose) {
  copy_array(to.spheres, from.spheres, missing.moved && !purpose.move, missing.ids);
  copy_array(to.velocities, from.velocities, missing.velocities_changed && !purpose.replace_velocities,
             missing.ids);
  base::copy_changes(to.layers, from.layers, missing.ids),
      base::copy_changes(to.owners, from.owners, missing.ids);
  base::copy_changes(to.presence, from.presence, missing.ids);
  base::copy_changes(to.generations, from.generations, missing.ids);
  if (missing.freed) to.free_ids = from.free_ids;
  copy_the_rest(to, from);
  if (!from.scene_index) return;
  to.scene_index->copy_changes(*from.scene_index, to.sphere_set(), missing.index,
                               purpose.move ? SceneIndex::Purpose::refit : SceneIndex::Purpose::queries);
}

}  // namespace

void Journal::clear() {
  everything = moved = velocities_changed = freed = false;
  ids.clear(0), index.clear();
}

void Journal::add(const Journal& other) {
  everything |= other.everything;
  moved |= other.moved, velocities_changed |= other.velocities_changed, freed |= other.freed;
  ids.add(other.ids), index.add(other.index);
}

void add_changes(const SceneState& state, Journal& journal) {
  journal.add(state.journal);
  if (state.scene_index) state.scene_index->add_changes_to(journal.index);
}

void take_changes(SceneState& state, Journal& journal) {
  journal.index.clear();
  if (state.scene_index) state.scene_index->take_changes(journal.index);
  journal.ids.assign(state.journal.ids);
  state.journal.ids.clear(state.spheres.size());
  journal.everything = std::exchange(state.journal.everything, false);
  journal.moved = std::exchange(state.journal.moved, false);
  journal.velocities_changed = std::exchange(state.journal.velocities_changed, false);
  journal.freed = std::exchange(state.journal.freed, false);
}

void update_copy(SceneState& to, const SceneState& from, const Journal& missing, const CopyPurpose& purpose) {
  to.drop_other_indexes();
  to.journal.everything = true;  // until the copy is complete
  const SceneIndex::Purpose use = purpose.move ? SceneIndex::Purpose::refit : SceneIndex::Purpose::queries;
  if (missing.everything || !to.scene_index != !from.scene_index) {
    copy_all(to, from, use);
  } else {
    copy_changes(to, from, missing, purpose);
  }
  if (to.scene_index) to.scene_index->note_changes(use);
  to.journal.clear();
  to.journal.ids.clear(to.spheres.size());
  to.journal.moved = purpose.move,
  to.journal.velocities_changed = purpose.replace_velocities;  // what was not copied may differ
}

}  // namespace sphaera::query
