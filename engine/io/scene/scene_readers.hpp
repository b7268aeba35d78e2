#pragma once
/// \file The readers of scene formats, each in the file of its name (`scene_csv.cpp`); JSON has a header of
/// its own.

#include <io/scene/scene_builder.hpp>
#include <io/scene/scene_json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// Readers of the formats. `layer` applies to rows without a layer ("" means "default").
void read_csv_scene(ByteSource& source, std::string_view layer, SceneBuilder& builder);
void read_npy_scene(ByteSource& source, std::string_view layer, SceneBuilder& builder);
void read_ply_scene(ByteSource& source, std::string_view layer, SceneBuilder& builder);

/// Reads an ephemeris. Appends its warnings to `warnings` unless it is null.
Motion read_ephemeris(ByteSource& source, std::vector<std::string>* warnings = nullptr);

}  // namespace sphaera::io
