#pragma once
/// \file What the name of an output stands for.

#include <cstdint>
#include <filesystem>

namespace sphaera::io {

struct Target {
  enum class Kind : std::uint8_t {
    descriptor,  ///< open already: standard output, /dev/stdout, /dev/fd/N
    device,      ///< there, and no plain file: a device, a pipe, a folder
    file,        ///< a plain file, or none yet
  };
  Kind kind;
  int fd;                      ///< descriptor: its number; else -1
  std::filesystem::path path;  ///< else: all links followed, also one whose file is missing
};

/// An empty name is standard output. Throws Error io: links that form a circle.
Target target_of(const std::filesystem::path& name);

/// Do writes to one change what is written to the other? A terminal or a device such as /dev/null, given by
/// its name, can be shared. Two hard links count as the same file.
bool same_output(const Target& a, const Target& b);

/// Is a plain file written that is also read? `input` "-" is standard input.
bool writes_over(const Target& output, const std::filesystem::path& input);

}  // namespace sphaera::io
