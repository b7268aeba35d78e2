#pragma once
/// \file Loading of scene files: read, move to a time, build the index.

#include <optional>
#include <sphaera/scene.hpp>
#include <sphaera/scene_file.hpp>
#include <stop_token>
#include <string>
#include <tools/files/results/table.hpp>
#include <tools/options/column_options.hpp>
#include <tools/options/shared_options.hpp>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// Reads a scene and moves it to the options' time. Warnings go to the console. `digests`: see ReadControl.
SceneFile load_scene(const SceneOptions& options, const Console& console, const std::stop_token& stop,
                     std::vector<io::FileDigest>* digests = nullptr);

/// Moves spheres and stars to a time: along their ephemeris if they have one, otherwise to center + time ×
/// velocity. Meridians turn. Without a given time, it is 0; a body whose ephemeris does not cover 0 stays.
/// Throws Error invalid_argument naming the body that leaves the domain or whose ephemeris does not cover the
/// time.
void move_to(SceneFile& scene, const std::optional<double>& time);

/// Builds the index and frees the file's spheres and velocities, which the scene holds itself. With a horizon
/// (a time interval) spheres move by their velocities, otherwise they are at rest. Throws Error
/// invalid_argument naming the sphere that leaves the domain within the horizon.
Scene index_scene(SceneFile& file, BuildQuality quality, const Console& console, const std::stop_token& stop,
                  const std::optional<Horizon>& horizon = {});

/// True if the sphere is on one of the layers.
inline bool on_layers(const SceneFile& scene, LayerMask mask, std::size_t sphere) {
  return mask >> (scene.layers.empty() ? 0 : scene.layers[sphere]) & 1;
}

/// Id of the sphere that an option gives by id or name. Throws UsageError: "--globe: no sphere is named
/// 'Erde'; …".
std::size_t sphere_called(const std::string& option, const std::string& word, const SceneFile& scene);

/// Gives the table the names of the scene's spheres, for --names; warns if there are none.
void name_spheres(files::TableWriter& table, const ColumnOptions& columns, const SceneFile& scene,
                  const Console& console);

/// "sphere 17 'Mars'".
std::string sphere_text(const SceneFile& scene, std::size_t id);

}  // namespace sphaera::tool
