#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <io/streams/file_error.hpp>
#include <tools/shards/part_set.hpp>
#include <tools/terminal/plural.hpp>

namespace sphaera::tool {
namespace {

[[noreturn]] void fail(const ResultFile& part, const std::string& what) {
  io::fail(part.path.string(), what);
}

/// The first difference between two lists of files; empty: none.
std::string difference(const std::vector<io::FileDigest>& a, const std::vector<io::FileDigest>& b,
                       std::string_view what) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (!a[i].same_bytes(b[i]))
      return fmt::format("{} differ: {} here and {} there have other bytes", what, io::shown(a[i].name),
                         io::shown(b[i].name));
  }
  if (a.size() == b.size()) return {};
  return fmt::format("{} differ: {} here and {} there", what, counted(a.size(), "file"), b.size());
}

std::string difference(const std::vector<files::PartManifest::Option>& a,
                       const std::vector<files::PartManifest::Option>& b) {
  const auto find = [](const auto& options, const std::string& name) -> const files::PartManifest::Option* {
    const auto found = std::ranges::find(options, name, &files::PartManifest::Option::name);
    return found == options.end() ? nullptr : &*found;
  };
  for (const files::PartManifest::Option& option : a) {
    const files::PartManifest::Option* other = find(b, option.name);
    if (!other) return fmt::format("{} is given here but not there", option.name);
    if (*other != option)
      return fmt::format("{} is {} here and {} there", option.name, io::shown(option.value),
                         io::shown(other->value));
  }
  for (const files::PartManifest::Option& option : b) {
    if (!find(a, option.name)) return fmt::format("{} is given there but not here", option.name);
  }
  return {};
}

/// The first difference that two parts of one result cannot have; empty: none.
std::string difference(const files::PartManifest& a, const files::PartManifest& b) {
  const auto differ = [](std::string_view what, const std::string& x, const std::string& y) {
    return x == y ? std::string()
                  : fmt::format("the {} is {} here and {} there", what, io::shown(x), io::shown(y));
  };
  const std::array texts{
      differ("verb", a.verb, b.verb),
      differ("format", a.format, b.format),
      differ("version of sphaera", a.version, b.version),
      difference(a.scene_files, b.scene_files, "the scene files"),
      difference(a.options, b.options),
      difference(a.query_files, b.query_files, "the query files"),
      a.queries.total == b.queries.total ? std::string()
                                         : fmt::format("the number of all queries is {} here and {} there",
                                                       a.queries.total, b.queries.total),
      a.shard.count == b.shard.count
          ? std::string()
          : fmt::format("the number of parts is {} here and {} there", a.shard.count, b.shard.count)};
  for (const std::string& text : texts) {
    if (!text.empty()) return text;
  }
  return {};
}

/// Names the missing parts `first` to `last` and their queries.
std::string missing(std::uint64_t first, std::uint64_t last, const files::PartManifest& of) {
  const auto& [index, count] = of.shard;
  const std::uint64_t total = of.queries.total;
  const std::uint64_t begin = files::shard_begin(total, first - 1, count),
                      end = files::shard_begin(total, last, count);
  const std::string parts = first == last
                                ? fmt::format("part {} of {} is missing", first, count)
                                : fmt::format("parts {} to {} of {} are missing", first, last, count);
  if (begin == end) return parts + " (no queries)";
  if (begin + 1 == end) return parts + fmt::format(" (query {})", begin);
  return parts + fmt::format(" (queries {} to {})", begin, end - 1);
}

/// `parts` are in the order of their numbers.
void check_all_there(const std::vector<ResultFile>& parts, Gaps gaps, const Console& console) {
  std::uint64_t next = 1;
  const auto check = [&](std::uint64_t there) {
    if (next < there) {
      const std::string text = missing(next, there - 1, *parts.front().manifest);
      const std::string what = next + 1 == there ? "it" : "them";
      if (gaps == Gaps::refused)
        throw Error(ErrorCode::bad_file,
                    fmt::format("{}; add {}, or give --allow-gaps to merge the others", text, what));
      console.warn(text);
    }
    next = there + 1;
  };
  for (const ResultFile& part : parts) check(part.manifest->shard.index);
  check(parts.front().manifest->shard.count + 1);
}

enum class Company : std::uint8_t { alone, others };

ResultFile checked_part(const std::filesystem::path& path, Company company, Gaps gaps,
                        const Console& console) {
  const std::filesystem::path manifest = files::manifest_path(path);
  std::error_code unknown;
  if (std::filesystem::exists(manifest, unknown)) return {path, files::read_manifest(manifest)};
  if (!std::filesystem::exists(path, unknown)) static_cast<void>(io::open_source(path));  // says why
  const std::string text = "it has no manifest (" + manifest.string() + "), so ";
  if (company == Company::alone) {
    console.warn(path.string() + ": " + text + "merge takes it as a whole result");
  } else if (gaps == Gaps::allowed) {
    console.warn(path.string() + ": " + text + "merge cannot check that it belongs to the other parts");
  } else {
    io::fail(path.string(), text +
                                "merge cannot check that it belongs to the other parts; write it again "
                                "with --shard and --output, or give --allow-gaps");
  }
  return {path, std::nullopt};
}

/// Checks format and size, before the part is read.
void check_part(const ResultFile& part, files::TableFormat format) {
  if (!part.manifest) return;
  if (part.manifest->format != name_of(format)) {
    fail(part, fmt::format("its format is {} according to its manifest, not {}; check --format",
                           io::shown(part.manifest->format), name_of(format)));
  }
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(part.path, unknown);
  if (!unknown) check_digest(part, {{}, size, part.manifest->result.hash});
}

}  // namespace

void check_digest(const ResultFile& part, const io::FileDigest& read) {
  if (!part.manifest || read.same_bytes(part.manifest->result)) return;
  const std::uint64_t bytes = part.manifest->result.bytes;
  const std::string what = read.bytes == bytes
                               ? "its hash is not the one"
                               : fmt::format("it has {} bytes, not the {}", read.bytes, bytes);
  fail(part, what + " in its manifest: it was cut, changed or replaced; write this part again");
}

namespace {

/// Empties the vector and, unlike `items = {}`, frees its memory.
template <class Item>
void drop(std::vector<Item>& items) {
  std::vector<Item>().swap(items);
}

/// Reads the manifests and compares each with the first. Only the first keeps its lists of files and options:
/// a scene may have thousands of files, and a result thousands of parts.
std::vector<ResultFile> matching_parts(const std::vector<std::filesystem::path>& paths,
                                       files::TableFormat format, Gaps gaps, const Console& console) {
  const Company company = paths.size() == 1 ? Company::alone : Company::others;
  std::vector<ResultFile> parts;
  parts.reserve(paths.size());
  const ResultFile* reference = nullptr;
  for (const std::filesystem::path& path : paths) {
    ResultFile& part = parts.emplace_back(checked_part(path, company, gaps, console));
    check_part(part, format);
    if (!part.manifest) continue;
    if (!reference) {
      reference = &part;
      continue;
    }
    const std::string text = difference(*part.manifest, *reference->manifest);
    if (!text.empty())
      fail(part, "it is not a part of the same result as " + reference->path.string() + ": " + text);
    drop(part.manifest->options);
    drop(part.manifest->scene_files);
    drop(part.manifest->query_files);
  }
  return parts;
}

}  // namespace

bool has_free_order(const std::vector<ResultFile>& parts) {
  const auto frees = [](const files::PartManifest::Option& option) {
    return option.name == "--output-columns" || option.name == "--times";
  };
  return std::ranges::any_of(parts, [&](const ResultFile& part) {
    return part.manifest && std::ranges::any_of(part.manifest->options, frees);
  });
}

std::vector<ResultFile> open_parts(const std::vector<std::filesystem::path>& paths, files::TableFormat format,
                                   Gaps gaps, const Console& console) {
  std::vector<ResultFile> parts = matching_parts(paths, format, gaps, console);
  if (std::ranges::any_of(parts, [](const ResultFile& part) { return !part.manifest; })) return parts;
  const auto number = [](const ResultFile& part) { return part.manifest->shard.index; };
  std::ranges::stable_sort(parts, {}, number);
  const auto twice = std::ranges::adjacent_find(parts, {}, number);
  if (twice != parts.end()) {
    fail(twice[1], fmt::format("it is part {} of {}, and so is {}; give every part once", number(*twice),
                               twice->manifest->shard.count, twice->path.string()));
  }
  check_all_there(parts, gaps, console);
  return parts;
}

}  // namespace sphaera::tool
