#pragma once
/// \file The formats of input files: examples of each, and what a reader may make of a damaged one.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::attack {

/// The product did what it may not do.
class Fault : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const std::string& fault) {
  if (!holds) throw Fault(fault);
}

enum class Outcome : int { accepted, refused };

struct Format {
  std::string name;
  std::string file_name;
  std::vector<std::string> files;  ///< contents of good files
  /// Reads the bytes and puts what was read to use. Throws Fault.
  Outcome (*read)(const Format& format, std::string_view bytes) = nullptr;
  std::filesystem::path folder{};  ///< of the shards that the file belongs to
  bool names_lines = false;        ///< every error in a file names its line
};

/// All that are read in process. `corpus`: the folder tests/fuzz/corpus.
std::vector<Format> formats(const std::filesystem::path& corpus);

/// Those of scene files: ".json", ".json.gz", ….
std::vector<std::string> scene_extensions();

/// Makes a gzip file of bytes.
std::string packed(std::string_view bytes);
/// The first 1 MiB of what a gzip file holds; empty if it is damaged or no gzip file.
std::string unpacked(std::string_view bytes);

}  // namespace sphaera::attack
