#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <base/files/target.hpp>
#include <tools/options/output_names.hpp>
#include <tools/terminal/exit.hpp>

namespace sphaera::tool {
namespace {

std::string shown_name(const std::filesystem::path& file) {
  return file.empty() ? "standard output" : file.string();
}

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

/// See check_extension. False for .txt, .1 and the like: CSV tables were always written under such names.
bool names_a_format(std::string_view extension) {
  constexpr std::array<std::string_view, 13> neutral{".txt", ".text", ".dat", ".data", ".out",
                                                     ".tmp", ".log",  ".res", ".rows", ".new",
                                                     ".old", ".part", ".bak"};
  constexpr std::array<std::string_view, 7> with_digits{".h5", ".hdf5", ".bz2",    ".lz4",
                                                        ".7z", ".mp4",  ".sqlite3"};
  if (std::ranges::find(with_digits, extension) != with_digits.end()) return true;
  constexpr std::size_t shortest = 3;  // the point and two letters
  return extension.size() >= shortest && std::ranges::all_of(extension.substr(1), is_letter) &&
         std::ranges::find(neutral, extension) == neutral.end();
}

}  // namespace

void check_distinct(std::span<const OutputName> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto& [option, file] = outputs[i];
      if (!base::same_output(base::target_of(file), base::target_of(outputs[j].file))) continue;
      throw UsageError(fmt::format("{} and {} both go to {}; give each a file of its own", outputs[j].option,
                                   option, shown_name(file)));
    }
  }
}

void check_spared(std::span<const OutputName> outputs, const std::string& what,
                  const std::filesystem::path& input) {
  for (const auto& [option, file] : outputs) {
    if (!base::writes_over(base::target_of(file), input)) continue;
    throw UsageError(fmt::format("{} is {} itself: {}; give another name", option, what, shown_name(file)));
  }
}

std::string plain_extension(const std::filesystem::path& file) {
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return text;
  };
  const std::string extension = lower(file.extension());
  return extension == ".gz" ? lower(file.stem().extension()) : extension;
}

void check_extension(const std::filesystem::path& file, std::span<const std::string> known,
                     const std::string& advice) {
  const std::string extension = plain_extension(file);
  if (!names_a_format(extension) || std::ranges::find(known, extension) != known.end()) return;
  throw UsageError(file.string() + ": " + advice);
}

}  // namespace sphaera::tool
