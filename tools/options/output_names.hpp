#pragma once
/// \file The names of a verb's outputs, checked before any work.

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace sphaera::tool {

/// Where an option sends a result; an empty file is standard output.
struct OutputName {
  std::string option;
  std::filesystem::path file;
};

/// Throws UsageError if two of them are one file or stream.
void check_distinct(std::span<const OutputName> outputs);

/// Throws UsageError if writing one of them would destroy a file that is read: "--output is the scene itself:
/// …".
void check_spared(std::span<const OutputName> outputs, const std::string& what,
                  const std::filesystem::path& input);

/// In lower case; `.gz` is left aside.
std::string plain_extension(const std::filesystem::path& file);

/// Throws UsageError, "NAME: advice", if a name ends like a format that is none of `known`. Accepted are
/// names without an extension, and extensions that name no format: a letter, words such as .txt, .out and
/// .tmp, and what is not made of letters alone, such as .1 and .part2.
void check_extension(const std::filesystem::path& file, std::initializer_list<std::string_view> known,
                     const std::string& advice);

}  // namespace sphaera::tool
