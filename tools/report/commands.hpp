#pragma once
/// \file The command that made an input of a report.

#include <filesystem>
#include <string>
#include <vector>

namespace sphaera::tool {

/// A script of the shell, or notes with commands.
class Commands {
 public:
  Commands() = default;
  /// Reads a file of at most 1 MiB. Throws Error bad_file.
  explicit Commands(const std::filesystem::path& path);

  /// The first lines that name the file, without its folder; a line that ends in \ and the next are one. At
  /// most eight.
  std::vector<std::string> that_name(const std::filesystem::path& file) const;

 private:
  std::vector<std::string> lines_;
};

/// The commands for an input: the one that its manifest tells (PART.part.json, by --shard), then lines of the
/// commands. Throws Error bad_file for a bad manifest.
std::vector<std::string> commands_of(const std::filesystem::path& input, const Commands& commands);

}  // namespace sphaera::tool
