#pragma once
/// \file Files of bullets, checked before the first answer.

#include <filesystem>
#include <io/streams/byte_reader.hpp>
#include <optional>
#include <sphaera/scene.hpp>
#include <sphaera/scene_file.hpp>
#include <stop_token>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// Returns the number of spheres on these layers whose velocity is not 0.
std::uint64_t moving_spheres(const SceneFile& scene, LayerMask layers);

/// False for standard input and for anything but a plain file. True for a missing file: opening it reports
/// the error.
bool can_be_read_twice(const std::filesystem::path& bullets);

/// Time interval from the first start to the last end in a file of bullets; each bullet must have an end. It
/// reads the whole file, so that a shard uses the same interval as the whole. `passes`: as in
/// files::QueryReadOptions. Throws Error bad_file, also if the file cannot be read twice.
Horizon span_of_bullets(const std::filesystem::path& bullets, std::uint64_t spheres, files::RowOptions rows,
                        io::SameBytes& passes, const Console& console, const std::stop_token& stop);

}  // namespace sphaera::tool
