#pragma once
/// \file Something for every verb to do, with inputs, and what must come out.

#include <filesystem>
#include <map>
#include <string>
#include <tests/attack/tool/process.hpp>
#include <vector>

namespace sphaera::attack {

/// Names of files in a folder, and their bytes.
using Files = std::map<std::string, std::string>;
Files files_of(const std::filesystem::path& folder);

/// A call of the tool. Its folder is a new one beside the folder `in` of inputs.
struct ToolCall {
  std::string name;
  std::string arguments;  ///< words with one space between; inputs are ../in/NAME
  std::string output;     ///< what --output names
  Files files{};          ///< what it leaves in its folder with --output
  std::string out{};      ///< what it prints without
  double seconds = 0;     ///< how long it takes

  bool prints = true;  ///< works without --output, too
  std::vector<std::string> words(bool to_file) const;
};

/// How large inputs are.
struct Size {
  int spheres, queries;
};
inline constexpr Size small{40, 30};

/// Writes the inputs to `folder`/in and runs every call once for what must come out. Throws
/// std::runtime_error.
std::vector<ToolCall> make_tool_calls(const std::filesystem::path& tool, const std::filesystem::path& folder,
                                      const Size& size);

/// The bytes without those that may differ from run to run (the time that a build took).
std::string lasting(const std::string& bytes);

/// Makes `folder` an empty folder; removes what it held.
void make_empty(const std::filesystem::path& folder);
void write_file(const std::filesystem::path& path, std::string_view bytes);
std::string read_file(const std::filesystem::path& path);

}  // namespace sphaera::attack
