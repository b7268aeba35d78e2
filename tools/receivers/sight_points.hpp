#pragma once
/// \file The targets of lines of sight, of `visibility` and `map`.

#include <cstdint>
#include <filesystem>
#include <span>
#include <sphaera/scene.hpp>
#include <string>
#include <tools/files/queries/query_file.hpp>
#include <tools/scene/load.hpp>
#include <tools/terminal/console.hpp>
#include <vector>

namespace sphaera::tool {

struct SightPoints {
  std::vector<Vec3> points;
  std::vector<std::int64_t> numbers;  ///< of each, in its file or the scene
  /// A sphere and an owner of each target, which its lines ignore; empty: none.
  std::vector<std::int64_t> ignore, ignore_owners;
  std::vector<std::string> renamed{};  ///< columns that the options rename and the file of targets has

  SightTargets targets() const { return {points, ignore, ignore_owners}; }
};

/// Why targets have no column `t`.
inline constexpr const char* no_sight_times =
    "all lines of sight are at one time; give it by --time, and leave out the column 't'";

/// The centers of the scene's spheres, before they move to the index.
SightPoints centers_of(const LoadedScene& scene);

/// Reads a file of targets. Throws Error bad_file.
SightPoints read_targets(const std::filesystem::path& path, const files::QueryReadOptions& options,
                         const Console& console);

/// The number of targets that no line can reach: they lie in or on a sphere that they do not ignore.
std::uint64_t hidden_targets(const SightPoints& to, const Scene& scene, QueryOptions options);

/// The number of targets that each receiver sees. A receiver that stands on a sphere sees none below its
/// horizon, and that sphere hides nothing else, as for starlight; exact for the numbers as given.
std::vector<std::uint64_t> targets_seen(const SightPoints& to, const Scene& scene,
                                        std::span<const Receiver> receivers, QueryOptions options);

}  // namespace sphaera::tool
