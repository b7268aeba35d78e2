#pragma once
/// \file The time range of a file of queries, read before the first answer: a scene whose spheres move is
/// indexed for a range of times.

#include <filesystem>
#include <optional>
#include <sphaera/scene.hpp>
#include <sphaera/scene_file.hpp>
#include <string>
#include <tools/files/queries/query_file.hpp>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// Returns the number of spheres on these layers whose velocity is not 0.
std::uint64_t moving_spheres(const SceneFile& scene, LayerMask layers);

/// Throws Error invalid_argument for a sphere on these layers that moves along an ephemeris, which `what`
/// does not support; `path` is the scene's.
void refuse_orbits(const SceneFile& scene, LayerMask layers, const std::filesystem::path& path,
                   const std::string& what);

/// False for standard input and for anything but a plain file. True for a missing file: opening it reports
/// the error.
bool can_be_read_twice(const std::filesystem::path& queries);

/// Time interval from the first start to the last end in a file of bullets; each bullet must have an end. It
/// reads the whole file, so that a shard uses the same interval as the whole: `options` has no shard. Throws
/// Error bad_file, also if the file cannot be read twice.
Horizon span_of_bullets(const std::filesystem::path& bullets, files::QueryReadOptions options,
                        const Console& console);

/// The least and the greatest time in the column `t` of a file of rays, points or balls; empty if it has no
/// such column. Reads the whole file, as above. Throws Error bad_file.
template <class Query>
std::optional<Horizon> span_of_times(const std::filesystem::path& queries, files::QueryReadOptions options,
                                     const Console& console);

}  // namespace sphaera::tool
