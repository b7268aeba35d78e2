#pragma once
/// \file The names of a verb's outputs, checked before any work.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace sphaera::tool {

/// An output option and its file; an empty file is standard output.
struct OutputName {
  std::string option;
  std::filesystem::path file;
};

/// Throws UsageError if two of them are one file or stream.
void check_distinct(std::span<const OutputName> outputs);

/// Throws UsageError if an output would overwrite a file that is read: "--output is the scene itself: …".
void check_spared(std::span<const OutputName> outputs, const std::string& what,
                  const std::filesystem::path& input);

/// Extension of a name in lower case, ignoring `.gz`.
std::string plain_extension(const std::filesystem::path& file);

/// Throws UsageError, "NAME: advice", if a name's extension looks like a format that is not in `known`. It
/// accepts names without an extension and extensions that name no format: a single letter, words such as
/// .txt, .out and .tmp, and extensions with other characters than letters, such as .1 and .part2. A few
/// formats with digits, such as .h5 and .bz2, are not accepted.
void check_extension(const std::filesystem::path& file, std::span<const std::string> known,
                     const std::string& advice);

}  // namespace sphaera::tool
