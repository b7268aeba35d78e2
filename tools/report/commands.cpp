#include <fmt/core.h>

#include <cctype>
#include <io/formats/numbers.hpp>
#include <io/streams/byte_reader.hpp>
#include <io/streams/file_error.hpp>
#include <tools/files/results/part_manifest.hpp>
#include <tools/report/commands.hpp>

namespace sphaera::tool {
namespace {

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
}

/// Is the word in the line, with no other character of a name before or behind it?
bool names(std::string_view line, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_of_name(line[at - 1])) && (end == line.size() || !is_of_name(line[end]))) return true;
  }
  return false;
}

/// The command that wrote a part, as far as its manifest tells.
std::string command_of(const files::PartManifest& manifest) {
  const auto file = [](const io::FileDigest& digest) { return std::filesystem::path(digest.name).string(); };
  std::string command = "sphaera " + manifest.verb;
  if (!manifest.scene_files.empty()) command += " " + file(manifest.scene_files.front());
  std::size_t query_file = 0;
  for (const auto& [name, value] : manifest.options) {
    command += " " + name;
    if (!value.empty())
      command += " " + value;
    else if (query_file < manifest.query_files.size())
      command += " " + file(manifest.query_files[query_file++]);
  }
  return command + fmt::format(" --shard {}/{}", manifest.shard.index, manifest.shard.count);
}

}  // namespace

Commands::Commands(const std::filesystem::path& path) {
  constexpr std::size_t most = std::size_t{1} << 20;
  const std::unique_ptr<io::ByteSource> source = io::open_source(path);
  std::string text(most + 1, '\0');
  text.resize(source->read_fully(text));
  if (text.size() > most) io::fail(source->name(), "it is longer than 1 MiB; is it a file of commands?");
  bool goes_on = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = io::trimmed(std::string_view(text).substr(at, end - at));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool continued = line.ends_with('\\');
    if (continued) line.remove_suffix(1);
    if (goes_on)
      lines_.back() += line;
    else
      lines_.emplace_back(line);
    goes_on = continued;
    at = end + 1;
  }
}

std::vector<std::string> Commands::that_name(const std::filesystem::path& file) const {
  constexpr std::size_t most = 8;
  std::vector<std::string> found;
  for (const std::string& line : lines_)
    if (found.size() < most && names(line, file.filename().string())) found.push_back(line);
  return found;
}

std::vector<std::string> commands_of(const std::filesystem::path& input, const Commands& commands) {
  std::vector<std::string> all;
  const std::filesystem::path manifest = files::manifest_path(input);
  if (std::filesystem::is_regular_file(manifest)) all.push_back(command_of(files::read_manifest(manifest)));
  for (std::string& line : commands.that_name(input)) all.push_back(std::move(line));
  return all;
}

}  // namespace sphaera::tool
