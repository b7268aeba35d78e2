#pragma once
/// \file Incremental copies of a scene's data.
///
/// A scene lists what has changed (Journal in scene/state.hpp). A copy is brought up to date from the scene's
/// present state. Beside small members, only the listed data is copied, unless `everything` is set.

#include <scene/state.hpp>

namespace sphaera::query {

/// What a copy will be used for. If a move of all spheres follows, the copy needs no centers, and of the
/// index only what a refit starts from. If all velocities will be replaced, it needs no velocities.
struct CopyPurpose {
  bool move = false, replace_velocities = false;
};

/// Makes `to` equal to `from`, except for background builds, the Embree index, viewpoint indexes, and what
/// `purpose` makes unnecessary. `to` records its later changes. Runs in the caller's arena. Throws
/// std::bad_alloc; then `to` can be copied to again, or destroyed.
/// Preconditions: `missing` lists every difference, whichever of the two scenes has changed; the caller has
/// set FloatingPointEnvironment.
void update_copy(SceneState& to, const SceneState& from, const Journal& missing, const CopyPurpose& purpose);

/// Adds to `journal` what a scene's journal and its index have recorded: changes since it became a copy, and
/// what CopyPurpose left out; `everything` if it never was a copy. Throws std::bad_alloc.
void add_changes(const SceneState& state, Journal& journal);
/// Moves the same from the scene to `journal`, whose earlier content is lost. If it throws std::bad_alloc,
/// the scene is unchanged.
void take_changes(SceneState& state, Journal& journal);

}  // namespace sphaera::query
