#pragma once
/// \file Readers of scene files. The formats, by extension: scene_formats.hpp.

#include <filesystem>
#include <io/streams/byte_reader.hpp>
#include <optional>
#include <span>
#include <sphaera/scene_file.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

struct SceneFormat;  // scene_formats.hpp
class JsonFiles;     // scene_json.hpp
class AtomRadii;     // atom_radii.hpp

/// Format given by a file's extension, ignoring `.gz`; null for an unknown extension.
const SceneFormat* find_scene_format(const std::filesystem::path& path);
/// The same. Throws Error bad_file for an unknown extension.
const SceneFormat& scene_format(const std::filesystem::path& path);
/// The same among those in which scenes are written.
const SceneFormat* find_written_format(const std::filesystem::path& path);
const SceneFormat& written_format(const std::filesystem::path& path);
/// The extensions, as messages and help texts name them: ".json, .csv, … or .ply, and perhaps .gz".
std::string extensions_of(std::span<const SceneFormat* const> formats);

/// What a reader of a format gets besides the bytes.
struct SceneInput {
  std::string_view layer;  ///< of spheres that have none of their own
  const SceneLoadOptions& options;
  JsonFiles& files;        ///< opens the files that the scene names
  const AtomRadii& radii;  ///< of the file that the options name
  bool is_named;           ///< by a scene, which may name others
};

/// Reads a scene as SceneFile::load does. More than `max_scene_files` references to files in total,
/// ephemerides included, are an error. `digests`: as in ReadControl.
SceneFile read_scene(const std::filesystem::path& path, const SceneLoadOptions& options = {},
                     std::vector<FileDigest>* digests = nullptr);
inline constexpr int max_scene_files = 4096;

/// Reads a scene from memory. Files that a JSON scene names are relative to `folder`.
SceneFile read_scene(ByteSource& source, const SceneFormat& format, const std::filesystem::path& folder,
                     const SceneLoadOptions& options = {});

/// Parses a star from the text of `--star x,y,z,r`. Throws Error invalid_argument.
SceneStar parse_star(std::string_view text);

}  // namespace sphaera::io
