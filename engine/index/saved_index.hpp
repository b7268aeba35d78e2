#pragma once
/// \file The index of a scene in a file: its sections from `frames` on (base/files/saved_scene.hpp).

#include <base/files/saved_scene.hpp>
#include <cmath>
#include <index/scene_index.hpp>

namespace sphaera::index {

/// Writes the sections; `index` may be null. Throws Error io.
void save(const SceneIndex* index, base::SavedSceneWriter& writer);

/// The index of a file that has frames, whose arrays are views of the file. Only counts and frames are
/// checked: before any walk call `is_sound_leaf` for each leaf block and `has_sound_tree` for each frame,
/// then SceneIndex::finish_opening. `bytes`: as SceneIndex has them. It has no stacks until it is edited.
/// Throws Error bad_file, std::bad_alloc.
std::unique_ptr<SceneIndex> open(const base::SavedScene& file, const SphereSet& sphere_set,
                                 std::uint64_t bytes);

/// The frames of an index, each before its child frames. Throws std::bad_alloc.
std::vector<const FrameBvh*> frames_of(const SceneIndex& index);

/// Do walks through the nodes of this frame end, and reach each node and primitive once? Nodes and leaf
/// blocks are then numbered as a build numbers them. Throws std::bad_alloc.
bool has_sound_tree(const FrameBvh& frame);
/// Has a leaf block ids of enabled spheres with finite floats, then empty lanes? `floats`: null without
/// floats.
template <class IsEnabled>
bool is_sound_leaf(const LeafIds& ids, const LeafBlock* floats, const IsEnabled& is_enabled) {
  constexpr float most = 0x1p30f;  // as `bounded`
  bool empty = false, sound = true;
  for (std::size_t lane = 0; lane < leaf_block_size; ++lane) {
    const std::uint32_t id = ids[lane];
    sound &= id == no_sphere || (!empty && is_enabled(id));
    empty |= id == no_sphere;
    if (!floats) continue;
    const float radius = floats->radius[lane];
    sound &= id == no_sphere ? std::isnan(radius) : radius >= 0 && radius <= most;
    for (const float x : {floats->x[lane], floats->y[lane], floats->z[lane]}) sound &= std::fabs(x) <= most;
  }
  return sound;
}
/// Are velocities within the limits that they are cut to?
inline bool is_sound(const LeafVelocities& velocities) {
  bool sound = true;
  for (const auto* const axis : {&velocities.x, &velocities.y, &velocities.z})
    for (const float v : *axis) sound &= !(std::fabs(v) > static_cast<float>(LeafVelocities::most));
  return sound;
}

/// Gives an opened index memory of its own, in the calling arena. Throws Error bad_file through `file` if a
/// sphere has two places, as editors could not know; std::bad_alloc, and then arrays may be views still.
void make_own(SceneIndex& index, std::size_t spheres, const base::SavedScene& file);

}  // namespace sphaera::index
