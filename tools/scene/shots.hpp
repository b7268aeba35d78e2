#pragma once
/// \file Files of bullets, checked before the first answer.

#include <filesystem>
#include <io/scene/scene_file.hpp>
#include <optional>
#include <sphaera/scene.hpp>
#include <stop_token>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// Spheres on these layers whose velocity is not 0.
std::uint64_t moving_spheres(const io::SceneFile& scene, LayerMask layers);

/// Not so standard input and pipes.
bool can_be_read_twice(const std::filesystem::path& bullets);

/// From the first start to the last end in a file of bullets, of which each must end. It is read whole, so
/// that a shard meets the same horizon as all. Throws Error bad_file, also for what cannot be read twice.
Horizon span_of_bullets(const std::filesystem::path& bullets, std::uint64_t spheres, const Console& console,
                        const std::stop_token& stop);

}  // namespace sphaera::tool
