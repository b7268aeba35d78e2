#pragma once
/// \file What a scene file has besides spheres and their layers, as bytes: the attachment of a saved scene
/// (`sphaera index`, Scene::save).

#include <cstddef>
#include <cstdint>
#include <io/streams/byte_reader.hpp>
#include <span>
#include <sphaera/scene_file.hpp>
#include <string>
#include <vector>

namespace sphaera::io {

/// The bytes. Velocities are among them if `velocities`: a saved scene may have them itself.
std::vector<std::byte> attachment_of(const SceneFile& scene, bool velocities);

/// The arrays of a saved scene.
struct SavedArrays {
  std::size_t spheres;  ///< their number
  std::span<const std::uint8_t> layers;
  std::span<const Vec3> velocities;
};

/// The scene file without its spheres. Bytes that `attachment_of` has not made are those of a program that
/// saved its own: they name nothing. Throws Error bad_file about `name`, out_of_memory.
SceneFile scene_of_attachment(std::span<const std::byte> attachment, const SavedArrays& arrays,
                              const std::string& name);

/// The digest of a saved scene: of its header and its checksums, which say what the rest is. Throws Error
/// bad_file.
FileDigest digest_of_saved_scene(const std::filesystem::path& path);

}  // namespace sphaera::io
