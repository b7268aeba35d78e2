#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <io/streams/file_error.hpp>
#include <tools/answers/part_set.hpp>
#include <tools/terminal/plural.hpp>

namespace sphaera::tool {
namespace {

[[noreturn]] void fail(const ResultFile& part, const std::string& what) {
  io::fail(part.path.string(), what);
}

bool same(const io::FileDigest& a, const io::FileDigest& b) { return a.bytes == b.bytes && a.hash == b.hash; }

/// How two lists of files differ; empty: they hold the same bytes.
std::string difference(const std::vector<io::FileDigest>& a, const std::vector<io::FileDigest>& b,
                       std::string_view what) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (!same(a[i], b[i]))
      return fmt::format("{} {} has other bytes than {} there", what, io::shown(a[i].name),
                         io::shown(b[i].name));
  }
  if (a.size() == b.size()) return {};
  return fmt::format("{} come from {}, there from {}", what, counted(a.size(), "file"), b.size());
}

std::string difference(const std::vector<io::PartManifest::Option>& a,
                       const std::vector<io::PartManifest::Option>& b) {
  const auto find = [](const auto& options, const std::string& name) -> const io::PartManifest::Option* {
    const auto found = std::ranges::find(options, name, &io::PartManifest::Option::name);
    return found == options.end() ? nullptr : &*found;
  };
  for (const io::PartManifest::Option& option : a) {
    const io::PartManifest::Option* other = find(b, option.name);
    if (!other) return fmt::format("{} is given here, and not there", option.name);
    if (*other != option)
      return fmt::format("{} is {}, there {}", option.name, io::shown(option.value), io::shown(other->value));
  }
  for (const io::PartManifest::Option& option : b) {
    if (!find(a, option.name)) return fmt::format("{} is given there, and not here", option.name);
  }
  return {};
}

/// How a part differs from another of the same whole; empty: in nothing that a whole has in common.
std::string difference(const io::PartManifest& a, const io::PartManifest& b) {
  const auto differ = [](std::string_view what, const std::string& x, const std::string& y) {
    return x == y ? std::string() : fmt::format("the {} is {}, there {}", what, io::shown(x), io::shown(y));
  };
  const std::array texts{
      differ("verb", a.verb, b.verb),
      differ("format", a.format, b.format),
      differ("version of sphaera", a.version, b.version),
      difference(a.scene_files, b.scene_files, "the scene:"),
      difference(a.options, b.options),
      difference(a.query_files, b.query_files, "the queries:"),
      a.queries.total == b.queries.total
          ? std::string()
          : fmt::format("there are {} queries in all, there {}", a.queries.total, b.queries.total),
      a.shard.count == b.shard.count
          ? std::string()
          : fmt::format("it is one of {} parts, there of {}", a.shard.count, b.shard.count)};
  for (const std::string& text : texts) {
    if (!text.empty()) return text;
  }
  return {};
}

/// What is missing of `count` parts between two that are there.
std::string missing(std::uint64_t first, std::uint64_t last, const io::PartManifest& of) {
  const auto& [index, count] = of.shard;
  const std::uint64_t total = of.queries.total;
  const std::uint64_t begin = io::shard_begin(total, first - 1, count),
                      end = io::shard_begin(total, last, count);
  const std::string parts = first == last
                                ? fmt::format("part {} of {} is missing", first, count)
                                : fmt::format("parts {} to {} of {} are missing", first, last, count);
  if (begin == end) return parts + " (no queries)";
  if (begin + 1 == end) return parts + fmt::format(" (query {})", begin);
  return parts + fmt::format(" (queries {} to {})", begin, end - 1);
}

/// In the order of their numbers.
void check_all_there(const std::vector<ResultFile>& parts, Gaps gaps, const Console& console) {
  std::uint64_t next = 1;
  const auto check = [&](std::uint64_t there) {
    if (next < there) {
      const std::string text = missing(next, there - 1, *parts.front().manifest);
      if (gaps == Gaps::refused)
        throw Error(ErrorCode::bad_file, text + "; give it, or --allow-gaps to merge the others");
      console.warn(text);
    }
    next = there + 1;
  };
  for (const ResultFile& part : parts) check(part.manifest->shard.index);
  check(parts.front().manifest->shard.count + 1);
}

ResultFile checked_part(const std::filesystem::path& path, Gaps gaps, const Console& console) {
  const std::filesystem::path manifest = io::manifest_path(path);
  std::error_code unknown;
  if (std::filesystem::exists(manifest, unknown)) return {path, io::read_manifest(manifest)};
  if (!std::filesystem::exists(path, unknown)) static_cast<void>(io::open_source(path));  // says why
  const std::string text = "it has no manifest (" + manifest.string() + ')';
  if (gaps == Gaps::allowed) {
    console.warn(path.string() + ": " + text + ": whether it belongs to the other parts is not known");
    return {path, std::nullopt};
  }
  io::fail(path.string(),
           text +
               ", so that nothing says what it is a part of; write it again by --shard with --output, "
               "or give --allow-gaps");
}

/// What can be said before it is read.
void check_part(const ResultFile& part, io::TableFormat format) {
  if (!part.manifest) return;
  if (part.manifest->format != word_of(format)) {
    fail(part, fmt::format("its manifest says that it is {}, not {}; see --format",
                           io::shown(part.manifest->format), word_of(format)));
  }
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(part.path, unknown);
  if (!unknown) check_digest(part, {{}, size, part.manifest->result.hash});
}

}  // namespace

const char* word_of(io::TableFormat format) {
  constexpr std::array words{"csv", "jsonl", "npy"};
  return words[static_cast<std::size_t>(format)];
}

void check_digest(const ResultFile& part, const io::FileDigest& read) {
  if (!part.manifest || same(read, part.manifest->result)) return;
  const std::uint64_t bytes = part.manifest->result.bytes;
  const std::string what = read.bytes == bytes
                               ? "its bytes are not those"
                               : fmt::format("it has {} bytes, not the {}", read.bytes, bytes);
  fail(part,
       what + " that its manifest tells of: it was cut, changed or written anew; write this part again");
}

std::vector<ResultFile> open_parts(const std::vector<std::filesystem::path>& paths, io::TableFormat format,
                                   Gaps gaps, const Console& console) {
  std::vector<ResultFile> parts;
  parts.reserve(paths.size());
  for (const std::filesystem::path& path : paths) parts.push_back(checked_part(path, gaps, console));
  const auto known =
      std::ranges::find_if(parts, [](const ResultFile& part) { return part.manifest.has_value(); });
  for (const ResultFile& part : parts) {
    check_part(part, format);
    if (!part.manifest) continue;
    const std::string text = difference(*part.manifest, *known->manifest);
    if (!text.empty()) fail(part, "it is no part of the same whole as " + known->path.string() + ": " + text);
  }
  if (std::ranges::any_of(parts, [](const ResultFile& part) { return !part.manifest; })) return parts;
  const auto number = [](const ResultFile& part) { return part.manifest->shard.index; };
  std::ranges::stable_sort(parts, {}, number);
  const auto twice = std::ranges::adjacent_find(parts, {}, number);
  if (twice != parts.end()) {
    fail(twice[1], fmt::format("it is part {} of {}, as is {}; give every part once", number(*twice),
                               twice->manifest->shard.count, twice->path.string()));
  }
  check_all_there(parts, gaps, console);
  return parts;
}

}  // namespace sphaera::tool
