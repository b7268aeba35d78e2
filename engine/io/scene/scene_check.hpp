#pragma once
/// \file What a scene must be to be written.

#include <sphaera/scene_file.hpp>

namespace sphaera::io {

/// Throws Error invalid_argument unless every format can hold the scene so that it reads back.
void check_scene(const SceneFile& scene);
/// The same for a scene whose spheres, so many, are elsewhere.
void check_all_but_spheres(const SceneFile& scene, std::size_t spheres);

}  // namespace sphaera::io
