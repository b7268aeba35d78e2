#pragma once
/// \file Manifest of a part of a result (--shard): a small JSON file beside the part, which `merge` reads.
///
/// `part1.csv` has the manifest `part1.csv.part.json`. It is a separate file, because CSV has no comments
/// (other readers would take a manifest line for a row), and NPY and JSON Lines are read by other programs,
/// too.

#include <filesystem>
#include <io/streams/byte_reader.hpp>
#include <string>
#include <tools/files/queries/query_file.hpp>
#include <vector>

namespace sphaera::files {

struct PartManifest {
  struct Option {
    std::string name, value;
    bool operator==(const Option&) const = default;
  };

  std::string version, verb, format;
  /// Given options that can change rows, sorted by name. An option that names a query file has an empty
  /// value: the digest of the file counts, not its name.
  std::vector<Option> options;
  Shard shard;
  QueryRange queries;
  std::vector<io::FileDigest> scene_files;  ///< all files of the scene, in the order of reading
  std::vector<io::FileDigest> query_files;  ///< empty if no query file is read
  io::FileDigest result;                    ///< digest of the part itself
};

std::filesystem::path manifest_path(const std::filesystem::path& part);

std::string json_of(const PartManifest& manifest);

/// Throws Error bad_file, also for contradictory numbers.
PartManifest read_manifest(const std::filesystem::path& path);

}  // namespace sphaera::files
