#include <algorithm>
#include <fstream>
#include <io/ephemeris/ephemeris_formats.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/scene_read.hpp>
#include <io/streams/byte_reader.hpp>
#include <io/streams/gzip_packer.hpp>
#include <iterator>
#include <sphaera/error.hpp>
#include <tests/attack/escaped.hpp>
#include <tests/attack/examples.hpp>
#include <tests/attack/formats.hpp>
#include <tests/attack/use.hpp>
#include <tools/files/queries/query_file.hpp>
#include <tuple>
#include <type_traits>

namespace sphaera::attack {
namespace {

namespace fs = std::filesystem;

/// The subject is "name:line", perhaps with ": " and more, where the format has lines; else, and in
/// what is packed, it may lack the line.
void check_place(const Format& format, std::string_view bytes, std::string_view subject) {
  require(subject.starts_with(format.file_name), "the subject does not begin with the file's name");
  subject.remove_prefix(format.file_name.size());
  require(subject.empty() || subject.starts_with(":"), "no colon behind the file's name");
  if (!format.names_lines || bytes.starts_with("\x1f\x8b")) return;  // gzip
  subject.remove_prefix(std::min<std::size_t>(1, subject.size()));
  const std::size_t digits = std::min(subject.find_first_not_of("0123456789"), subject.size());
  const std::string_view rest = subject.substr(digits);
  require(digits > 0 && (rest.empty() || rest.starts_with(": ")), "the subject names no line");
  const std::uint64_t line = std::stoull(std::string(subject.substr(0, std::min<std::size_t>(digits, 18))));
  const auto newlines = static_cast<std::uint64_t>(std::ranges::count(bytes, '\n'));
  require(line >= 1 && line <= newlines + 1, "the subject names a line that the file does not have");
}

void check_message(const Format& format, std::string_view bytes, const Error& error) {
  constexpr std::size_t longest = 2000;
  const std::string_view message = error.what();
  require(error.code() == ErrorCode::bad_file, "the error's code is not bad_file");
  require(message.size() <= longest, "the message is too long");
  const std::string bad = unprintable(message);
  require(bad.empty(), "the message holds " + bad);
  check_place(format, bytes, error.subject());
}

void check_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    const std::string bad = unprintable(warning);
    require(bad.empty(), "a warning holds " + bad + ": " + warning);
  }
}

/// Reads by `read()`; what it throws must be an error of the file.
template <class Read>
Outcome refused_or(const Format& format, std::string_view bytes, const Read& read) {
  try {
    read();
    return Outcome::accepted;
  } catch (const Error& error) {
    try {
      check_message(format, bytes, error);
    } catch (const Fault& fault) {
      throw Fault(std::string(fault.what()) + ": " + error.what());
    }
    return Outcome::refused;
  }
}

Outcome read_scene(const Format& format, std::string_view bytes) {
  SceneFile scene;
  const Outcome outcome = refused_or(format, bytes, [&] {
    scene = io::read_scene(*io::memory_source(format.file_name, bytes), io::scene_format(format.file_name),
                           "/nowhere");
  });
  check_warnings(scene.warnings);
  if (outcome == Outcome::accepted) use(scene);
  return outcome;
}

Outcome read_ephemeris(const Format& format, std::string_view bytes) {
  static const io::Instant epoch = io::parse_date("2015-03-03T00:00:00Z");
  Motion ephemeris = Motion::at_rest({});
  const Outcome outcome = refused_or(format, bytes, [&] {
    ephemeris = io::read_ephemeris(io::memory_source(format.file_name, bytes), {.epoch = epoch});
  });
  if (outcome == Outcome::accepted) use(ephemeris);
  return outcome;
}

template <class Query>
Outcome read_queries(const Format& format, std::string_view bytes) {
  constexpr std::size_t rows_at_once = 5;
  files::QueryChunk<Query> all;
  const Outcome outcome = refused_or(format, bytes, [&] {
    files::QueryReadOptions options;
    options.spheres = spheres_to_ask().size();
    options.grounds = spheres_to_ask();
    files::QueryReader<Query> reader(io::memory_source(format.file_name, bytes), options);
    files::QueryChunk<Query> chunk;
    while (reader.next(chunk, rows_at_once)) {
      require(chunk.first == all.queries.size(), "a query's number is wrong");
      require(chunk.ignore.empty() || chunk.ignore.size() == chunk.queries.size(),
              "ids and queries differ in number");
      all.queries.insert(all.queries.end(), chunk.queries.begin(), chunk.queries.end());
      all.ignore.insert(all.ignore.end(), chunk.ignore.begin(), chunk.ignore.end());
    }
    check_warnings(reader.take_warnings());
  });
  if (outcome == Outcome::accepted) use(all);
  return outcome;
}

std::vector<std::string> files_in(const fs::path& folder, std::string_view with = "") {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().find(with) != std::string::npos) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<std::string> files;
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return files;
}

std::vector<std::string> operator+(std::vector<std::string> files, const std::vector<std::string>& more) {
  files.insert(files.end(), more.begin(), more.end());
  return files;
}

std::vector<std::string> all_packed(const std::vector<std::string>& files) {
  std::vector<std::string> all;
  for (const std::string& file : files) all.push_back(packed(file));
  return all;
}

/// One kind of queries in every format: the seeds with its name, and rows of each number of columns.
template <class Query>
void add_queries(std::vector<Format>& all, const fs::path& corpus) {
  const files::QueryColumns& columns = files::query_columns<Query>();
  for (const files::QueryFormat* format : files::query_formats) {
    const std::string name(format->name);
    std::vector<std::string> files = files_in(corpus / ("query_" + name), columns.kind);
    for (const std::size_t width : columns.npy_widths)
      files.push_back(example_queries(columns, width, *format->matrix));
    all.push_back({std::string(columns.kind) + '_' + name,
                   "q." + name,
                   files,
                   read_queries<Query>,
                   {},
                   format->names_lines});
  }
}

/// Every format of scenes: the seeds of its fuzz target, and scenes as its writer writes them. Packed, too.
void add_scenes(std::vector<Format>& all, const fs::path& corpus) {
  for (const io::SceneFormat* format : io::scene_formats) {
    const std::string name = "scene_" + std::string(format->name), file = "s" + format->extension();
    std::vector<std::string> files = files_in(corpus / name);
    if (format->write)
      for (const SceneFile& scene : example_scenes()) files.push_back(io::scene_bytes(scene, *format));
    all.push_back({name, file, files, read_scene, {}, format->names_lines});
    std::vector<std::string> packed_files = all_packed(files);
    if (format == &io::csv_scene) packed_files = files_in(corpus / "scene_gz") + packed_files;
    all.push_back({name + "_gz", file + ".gz", packed_files, read_scene});
  }
}

}  // namespace

std::vector<Format> formats(const fs::path& corpus) {
  std::vector<Format> all;
  add_scenes(all, corpus);
  std::apply(
      [&](const auto&... kind) { (add_queries<std::remove_cvref_t<decltype(kind)>>(all, corpus), ...); },
      files::QueryKinds());
  for (const io::EphemerisFormat& format : io::ephemeris_formats) {
    const std::string name = "ephemeris_" + std::string(format.name);
    std::vector<std::string> files = files_in(corpus / name);
    if (format.name == "csv") files = files + example_ephemerides();
    all.push_back({name, "e." + std::string(format.name), files, read_ephemeris, {}, format.names_lines});
  }
  return all;
}

std::vector<std::string> scene_extensions() {
  std::vector<std::string> extensions;
  for (const io::SceneFormat* format : io::scene_formats) {
    extensions.push_back(format->extension());
    extensions.push_back(format->extension() + ".gz");
  }
  return extensions;
}

std::string packed(std::string_view bytes) {
  io::GzipPacker packer;
  std::string out;
  packer.pack(bytes, out);
  packer.finish(out);
  return out;
}

std::string unpacked(std::string_view bytes) {
  constexpr std::size_t most = 1 << 20;
  std::string out(most, '\0');
  try {
    out.resize(io::memory_source("x.gz", bytes)->read_fully(out));
    return out;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace sphaera::attack
