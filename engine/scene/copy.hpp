#pragma once
/// \file Copies of a scene's data, which follow it without being copied as a whole where they can.
///
/// A scene notes what changes (Journal). To follow it, a copy takes over from its present state what has
/// changed since; how that came about does not matter.

#include <scene/state.hpp>

namespace sphaera::query {

/// What a copy is for. Before a move of all spheres it needs no centers, and of the index only what a refit
/// starts from; before a turn of all no velocities.
struct CopyPurpose {
  bool move = false, turn = false;
};

/// Makes `to` equal to `from`, except for background builds and the Embree index. `missing` lists all
/// differences, those included that `to` has made itself. Notes what changes from now on. In the calling
/// arena, in the floating-point mode that the proofs assume. Throws std::bad_alloc; then `to` can be copied
/// to again, or destroyed.
void update_copy(SceneState& to, const SceneState& from, const Journal& missing, const CopyPurpose& purpose);

/// Adds what a scene has changed since it became a copy. Throws std::bad_alloc.
void add_changes(const SceneState& state, Journal& journal);
/// Gives `journal` what a scene has changed since it became a copy; it notes what changes from now on. Throws
/// std::bad_alloc, and then nothing has changed.
void take_changes(SceneState& state, Journal& journal);

}  // namespace sphaera::query
