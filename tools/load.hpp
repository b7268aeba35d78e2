#pragma once
/// \file Scene files in: read, moved to a time, indexed.

#include <io/scene_file.hpp>
#include <sphaera/scene.hpp>
#include <stop_token>
#include <string>
#include <tools/console.hpp>
#include <tools/options.hpp>

namespace sphaera::tool {

/// Reads a scene and moves it to options.time; its warnings go to the console.
io::SceneFile load_scene(const SceneOptions& options, const Console& console, const std::stop_token& stop);

/// Moves spheres and stars to centre + time × velocity, rounded once. Throws Error invalid_argument naming
/// the sphere that leaves the domain.
void move_to(io::SceneFile& scene, double time);

/// Builds the index. The file's spheres go: the scene holds them.
Scene index_scene(io::SceneFile& file, BuildQuality quality, const Console& console,
                  const std::stop_token& stop);

/// "sphere 17 'Mars'".
std::string sphere_text(const io::SceneFile& scene, std::size_t id);

}  // namespace sphaera::tool
