#pragma once
/// \file Resolution of an output's name.

#include <cstdint>
#include <filesystem>
#include <sphaera/config/export.hpp>

namespace sphaera::base::inline SPHAERA_ABI {

struct Target {
  enum class Kind : std::uint8_t {
    descriptor,  ///< already open: standard output, /dev/stdout, /dev/fd/N
    device,      ///< exists and is not a plain file: a device, a pipe, a folder
    file,        ///< a plain file, or a new file
  };
  Kind kind;
  int fd;  ///< for `descriptor`: its number; else -1
  /// For `file`: the path with all links followed, also links to a missing file. For `device`: the name as
  /// given.
  std::filesystem::path path;
};

/// Resolves a name; an empty name is standard output. Throws Error io if links form a cycle.
SPHAERA_API Target target_of(const std::filesystem::path& name);

/// True if writing to one target damages the other. Two descriptors or names of one terminal, or of a device
/// such as /dev/null, can be shared; the same descriptor cannot. Two hard links count as the same file.
bool same_output(const Target& a, const Target& b);

/// True if the output is a plain file that is also read as `input`. The `input` "-" is standard input.
bool writes_over(const Target& output, const std::filesystem::path& input);

}  // namespace sphaera::base::inline SPHAERA_ABI
