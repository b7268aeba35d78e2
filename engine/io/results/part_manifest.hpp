#pragma once
/// \file What a part of a result (--shard) says about itself: a small JSON file beside it, which `merge` asks
/// for.
///
/// `part1.csv` has the manifest `part1.csv.part.json`. It is no part of the result itself: CSV has no
/// comments, so that a line of it would be a row to every other reader, and NPY and JSON Lines are formats of
/// others, too.

#include <filesystem>
#include <io/queries/query_file.hpp>
#include <io/streams/bytes.hpp>
#include <string>
#include <vector>

namespace sphaera::io {

struct PartManifest {
  struct Option {
    std::string name, value;
    bool operator==(const Option&) const = default;
  };

  std::string version, verb, format;
  /// Those given that can change rows, by name. The value of a file of queries is empty: its content counts.
  std::vector<Option> options;
  Shard shard;
  QueryRange queries;
  std::vector<FileDigest> scene_files;  ///< all that the scene was read from, in order
  std::vector<FileDigest> query_files;  ///< none where the queries are those of a surface
  FileDigest result;                    ///< the part itself
};

std::filesystem::path manifest_path(const std::filesystem::path& part);

std::string json_of(const PartManifest& manifest);

/// Throws Error bad_file, also for numbers that contradict one another.
PartManifest read_manifest(const std::filesystem::path& path);

}  // namespace sphaera::io
