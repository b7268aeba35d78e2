#include <array>
#include <charconv>
#include <io/formats/json_document.hpp>
#include <io/formats/json_text.hpp>
#include <io/streams/printable.hpp>
#include <memory>
#include <tools/files/results/part_manifest.hpp>

namespace sphaera::files {
namespace {

constexpr std::array<std::string_view, 13> keys{"sphaera_part", "version",     "verb",  "format",  "options",
                                                "shard",        "shards",      "first", "queries", "total",
                                                "scene_files",  "query_files", "result"};
enum Key : std::size_t {
  key_layout,
  key_version,
  key_verb,
  key_format,
  key_options,
  key_shard,
  key_shards,
  key_first,
  key_queries,
  key_total,
  key_scene_files,
  key_query_files,
  key_result
};
constexpr std::array<std::string_view, 2> option_keys{"name", "value"};
constexpr std::array<std::string_view, 3> digest_keys{"name", "bytes", "xxh3_128"};
constexpr int layout_version = 1;  // of the manifest

std::string json_string(std::string_view text) {
  std::string json;
  io::append_json(json, io::printable(text));  // different bytes that are not UTF-8 stay different
  return json;
}

std::string json_of(const io::FileDigest& digest) {
  std::string json = "{\"name\": " + json_string(digest.name) +
                     ", \"bytes\": " + std::to_string(digest.bytes) + ", \"xxh3_128\": \"";
  for (const std::uint64_t half : digest.hash) io::append_hex(json, half, 16);
  return json + "\"}";
}

std::string json_of(const PartManifest::Option& option) {
  return "{\"name\": " + json_string(option.name) + ", \"value\": " + json_string(option.value) + '}';
}

template <class Item>
std::string json_of(const std::vector<Item>& items) {
  std::string list;
  for (const Item& item : items) list += (list.empty() ? "" : ",\n  ") + json_of(item);
  return '[' + list + ']';
}

class ManifestReader {
 public:
  explicit ManifestReader(io::ByteSource& source)
      : document_(source, {"manifest of a part", R"({"sphaera_part": 1})",
                           "the manifest is cut short; write this part again"}) {}

  PartManifest read() {
    const io::JsonObject root = document_.root();
    const io::SeenKeys seen =
        document_.members(root, "the manifest of a part", keys,
                          [&](std::size_t key, io::JsonValue value) { take(key, value); });
    document_.expect_end();
    for (std::size_t key = 0; key < keys.size(); ++key) {
      if (!(seen >> key & 1)) refuse("the key " + io::shown(keys[key]) + " is missing");
    }
    check();
    return std::move(manifest_);
  }

 private:
  void take(std::size_t key, io::JsonValue value) {
    switch (key) {
      case key_layout:
        if (document_.integer(value, keys[key]) != layout_version)
          refuse("it has another version of the format");
        break;
      case key_version:
        manifest_.version = document_.text(value, keys[key]);
        break;
      case key_verb:
        manifest_.verb = document_.text(value, keys[key]);
        break;
      case key_format:
        manifest_.format = document_.text(value, keys[key]);
        break;
      case key_options:
        document_.items(document_.array(value, keys[key]),
                        [&](io::JsonValue item) { manifest_.options.push_back(option(item)); });
        break;
      case key_scene_files:
        manifest_.scene_files = digests(value, keys[key]);
        break;
      case key_query_files:
        manifest_.query_files = digests(value, keys[key]);
        break;
      case key_result:
        manifest_.result = digest(value);
        break;
      default:
        number(key) = count(value, keys[key]);
    }
  }

  std::uint64_t& number(std::size_t key) {
    switch (key) {
      case key_shard:
        return manifest_.shard.index;
      case key_shards:
        return manifest_.shard.count;
      case key_first:
        return manifest_.queries.first;
      case key_queries:
        return manifest_.queries.count;
      default:
        return manifest_.queries.total;
    }
  }

  std::uint64_t count(io::JsonValue value, std::string_view key) {
    const std::int64_t number = document_.integer(value, key);
    if (number < 0) refuse(io::shown(key) + " is negative");
    return static_cast<std::uint64_t>(number);
  }

  PartManifest::Option option(io::JsonValue item) {
    PartManifest::Option option;
    document_.members(document_.object(item, "an option"), "an option", option_keys,
                      [&](std::size_t key, io::JsonValue value) {
                        (key == 0 ? option.name : option.value) = document_.text(value, option_keys[key]);
                      });
    return option;
  }

  std::vector<io::FileDigest> digests(io::JsonValue value, std::string_view key) {
    std::vector<io::FileDigest> digests;
    document_.items(document_.array(value, key),
                    [&](io::JsonValue item) { digests.push_back(digest(item)); });
    return digests;
  }

  io::FileDigest digest(io::JsonValue item) {
    io::FileDigest digest;
    document_.members(document_.object(item, "a file"), "a file", digest_keys,
                      [&](std::size_t key, io::JsonValue value) {
                        if (key == 0) digest.name = document_.text(value, digest_keys[key]);
                        if (key == 1) digest.bytes = count(value, digest_keys[key]);
                        if (key == 2) read_hash(document_.text(value, digest_keys[key]), digest.hash);
                      });
    return digest;
  }

  void read_hash(std::string_view text, std::array<std::uint64_t, 2>& hash) const {
    constexpr std::size_t digits = 16;
    if (text.size() != 2 * digits) refuse("a hash does not have 32 digits");
    for (std::size_t half = 0; half < 2; ++half) {
      const char* begin = text.data() + half * digits;
      const auto [end, error] = std::from_chars(begin, begin + digits, hash[half], 16);
      if (error != std::errc{} || end != begin + digits) refuse("a hash is not a hexadecimal number");
    }
  }

  void check() const {
    const auto& [index, count] = manifest_.shard;
    const auto& [first, queries, total] = manifest_.queries;
    if (index < 1 || index > count || count > max_shards)
      refuse("there is no part " + std::to_string(index) + " of " + std::to_string(count));
    const std::uint64_t begin = shard_begin(total, index - 1, count), end = shard_begin(total, index, count);
    if (first != begin || queries != end - begin)
      refuse("its numbers of parts and queries contradict one another");
  }

  [[noreturn]] void refuse(const std::string& what) const {
    io::fail(document_.name(), what + "; write this part again");
  }

  io::JsonDocument document_;
  PartManifest manifest_;
};

}  // namespace

std::filesystem::path manifest_path(const std::filesystem::path& part) {
  return part.string() + ".part.json";
}

std::string json_of(const PartManifest& m) {
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  return "{\"sphaera_part\": " + number(layout_version) + ",\n \"version\": " + json_string(m.version) +
         ", \"verb\": " + json_string(m.verb) + ", \"format\": " + json_string(m.format) +
         ",\n \"options\": " + json_of(m.options) + ",\n \"shard\": " + number(m.shard.index) +
         ", \"shards\": " + number(m.shard.count) + ", \"first\": " + number(m.queries.first) +
         ", \"queries\": " + number(m.queries.count) + ", \"total\": " + number(m.queries.total) +
         ",\n \"scene_files\": " + json_of(m.scene_files) + ",\n \"query_files\": " + json_of(m.query_files) +
         ",\n \"result\": " + json_of(m.result) + "}\n";
}

PartManifest read_manifest(const std::filesystem::path& path) {
  return ManifestReader(*io::open_source(path)).read();
}

}  // namespace sphaera::files
