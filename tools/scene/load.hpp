#pragma once
/// \file Scene files in: read, moved to a time, indexed.

#include <io/scene/scene_file.hpp>
#include <optional>
#include <sphaera/scene.hpp>
#include <stop_token>
#include <string>
#include <tools/options/options.hpp>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// Reads a scene and moves it to the options' time; its warnings go to the console. `digests`:
/// Watch::digests.
io::SceneFile load_scene(const SceneOptions& options, const Console& console, const std::stop_token& stop,
                         std::vector<io::FileDigest>* digests = nullptr);

/// Moves spheres and stars to a time: along their ephemeris where they have one, else to centre + time ×
/// velocity; meridians turn. None given: to 0; a body whose ephemeris does not cover 0 stays. Throws
/// Error invalid_argument naming the body that leaves the domain or whose ephemeris does not reach that time.
void move_to(io::SceneFile& scene, const std::optional<double>& time);

/// Builds the index. The file's spheres and velocities go: the scene holds what it needs of them. With a
/// horizon spheres move by their velocities, else they stay where they are. Throws Error invalid_argument
/// naming the sphere that leaves the domain within the horizon.
Scene index_scene(io::SceneFile& file, BuildQuality quality, const Console& console,
                  const std::stop_token& stop, const std::optional<Horizon>& horizon = {});

/// Does a sphere count?
inline bool on_layers(const io::SceneFile& scene, LayerMask mask, std::size_t sphere) {
  return mask >> (scene.layers.empty() ? 0 : scene.layers[sphere]) & 1;
}

/// The sphere that an option names by id or name. Throws UsageError: "--globe: no sphere is named 'Erde'; …".
std::size_t sphere_called(const std::string& option, const std::string& word, const io::SceneFile& scene);

/// "sphere 17 'Mars'".
std::string sphere_text(const io::SceneFile& scene, std::size_t id);

}  // namespace sphaera::tool
