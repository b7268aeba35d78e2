#pragma once
/// \file Room for changes of single spheres.

#include <scene/state.hpp>

namespace sphaera::query {

/// Makes what a scene needs for changes of single spheres: later ones allocate nothing that grows with the
/// scene, as long as it does not grow. If it throws std::bad_alloc, the scene's answers are unchanged.
void make_room_for_edits(SceneState& state);

}  // namespace sphaera::query
