#pragma once
/// \file Incremental copies of a scene's data.
///
/// A scene lists what has changed (Journal). To bring a copy up to date, only the listed data is copied from
/// the scene's present state.

#include <scene/state.hpp>

namespace sphaera::query {

/// What a copy will be used for. If a move of all spheres follows, the copy needs no centers, and of the
/// index only what a refit starts from. If all velocities will be replaced, it needs no velocities.
struct CopyPurpose {
  bool move = false, replace_velocities = false;
};

/// Makes `to` equal to `from`, except for background builds, the Embree index, star indexes, and what
/// `purpose` makes unnecessary. `missing` lists all differences, also those made by changes of `to`. `to`
/// records its later changes. In the calling arena, in the floating-point mode that the proofs assume. Throws
/// std::bad_alloc; then `to` can be copied to again, or destroyed.
void update_copy(SceneState& to, const SceneState& from, const Journal& missing, const CopyPurpose& purpose);

/// Adds to `journal` the changes of a scene since it became a copy. Throws std::bad_alloc.
void add_changes(const SceneState& state, Journal& journal);
/// Moves the changes of a scene since it became a copy from the scene's journal to `journal`. If it throws
/// std::bad_alloc, the scene is unchanged.
void take_changes(SceneState& state, Journal& journal);

}  // namespace sphaera::query
