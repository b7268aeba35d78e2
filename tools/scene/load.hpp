#pragma once
/// \file Loading of scene files: read, move to a time, build the index.

#include <optional>
#include <span>
#include <sphaera/scene.hpp>
#include <sphaera/scene_file.hpp>
#include <stop_token>
#include <string>
#include <tools/files/results/table.hpp>
#include <tools/options/column_options.hpp>
#include <tools/options/shared_options.hpp>
#include <tools/scene/owners.hpp>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// A scene file as verbs that need its index have it. Of a saved scene (.sphi) the spheres stay in `opened`.
struct LoadedScene : SceneFile {
  std::optional<Scene> opened{};
  Owners owners{};

  std::span<const Sphere> bodies() const {
    return opened ? opened->spheres() : std::span<const Sphere>(spheres);
  }
};

/// Reads a scene, by its light if the options ask for it, and moves it to their time. Warnings go to the
/// console. `digests`: see ReadControl.
LoadedScene load_scene(const SceneOptions& options, const Console& console, const std::stop_token& stop,
                       std::vector<io::FileDigest>* digests = nullptr);
/// The same for a verb that needs the index: a saved scene is opened with it. Throws
/// Error bad_file, with the command for another, if it does not fit the options.
LoadedScene open_scene(const SceneOptions& options, const Console& console, const std::stop_token& stop,
                       std::vector<io::FileDigest>* digests = nullptr);

/// Notes that leap seconds are unknown at the dates of the options. Loading a scene does it.
void note_late_dates(const SceneOptions& options, const SceneFile& scene, const Console& console);

/// Has a body an ephemeris?
bool has_ephemerides(const SceneFile& scene);
/// For a scene that is written: its time 0 becomes the time of the options. Throws UsageError for a date out
/// of range.
void move_epoch(SceneFile& scene, const SceneOptions& options);

/// Moves spheres and stars to a time: along their ephemeris if they have one, otherwise to center + time ×
/// velocity. Meridians turn. Without a given time, it is 0; a body whose ephemeris does not cover 0 stays.
/// Throws Error invalid_argument naming the body that leaves the domain or whose ephemeris does not cover the
/// time.
void move_to(SceneFile& scene, const std::optional<double>& time);

/// The same for the time that the options give. Errors name the file.
void move_to(SceneFile& scene, const SceneOptions& options);
/// The same for a scene that may be opened, which is at time 0. Throws Error bad_file for another time.
void move_to(LoadedScene& scene, const SceneOptions& options);

/// What a verb needs to know of the motion of spheres.
struct MotionNeeds {
  bool matters = false;              ///< false: the spheres are where they are at time 0
  std::optional<Horizon> horizon{};  ///< in which spheres move by their velocities; empty: they are at rest
  bool may_be_longer = false;        ///< the horizon: nothing is asked about the rest of it
};

/// The opened scene; throws Error bad_file if its index is for other motion. Otherwise builds the index and
/// frees the file's spheres and velocities, which the scene holds itself. Throws Error invalid_argument
/// naming the sphere that leaves the domain within the horizon.
Scene index_scene(LoadedScene& file, BuildQuality quality, const Console& console,
                  const std::stop_token& stop, const MotionNeeds& motion = {});

/// True if the sphere is on one of the layers.
inline bool on_layers(const SceneFile& scene, LayerMask mask, std::size_t sphere) {
  return mask >> (scene.layers.empty() ? 0 : scene.layers[sphere]) & 1;
}

/// Id of the sphere that an option gives by id or name. Throws UsageError: "--globe: no sphere is named
/// 'Erde'; …".
std::size_t sphere_called(const std::string& option, const std::string& word, const LoadedScene& scene);

/// Gives the table the names of the scene's spheres, for --names; warns if there are none.
void name_spheres(files::TableWriter& table, const ColumnOptions& columns, const SceneFile& scene,
                  const Console& console);

/// "sphere 17 'Mars'".
std::string sphere_text(const SceneFile& scene, std::size_t id);

}  // namespace sphaera::tool
