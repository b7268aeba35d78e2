#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <io/formats/numbers.hpp>
#include <io/formats/spelling.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>
#include <tools/files/results/table_columns.hpp>
#include <tools/options/shared_options.hpp>
#include <tools/terminal/exit.hpp>

namespace sphaera::tool {
namespace {

bool parse_shard(const std::string& text, files::Shard& shard) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return false;
  std::int64_t index = 0, count = 0;
  if (io::parse_integer(text.substr(0, slash), index) != io::Parse::ok ||
      io::parse_integer(text.substr(slash + 1), count) != io::Parse::ok) {
    return false;
  }
  if (index < 1 || index > count || static_cast<std::uint64_t>(count) > files::max_shards) return false;
  shard = {static_cast<std::uint64_t>(index), static_cast<std::uint64_t>(count)};
  return true;
}

}  // namespace

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t comma = text.find(',', begin);
    words.push_back(text.substr(begin, comma - begin));
    if (comma == std::string::npos) return words;
    begin = comma + 1;
  }
}

void add_shard(CLI::App& app, files::Shard& shard) {
  add_parsed(
      app, "--shard",
      "Answers only part I of N contiguous parts, I = 1 … N; queries keep their numbers in the whole file",
      fmt::format("I/N with 1 ≤ I ≤ N ≤ {}", files::max_shards),
      [&shard](const std::string& text) { return parse_shard(text, shard); })
      .type_name("I/N");
}

void add_skip_misses(CLI::App& app, bool& skip) {
  add_flag(
      app, "--skip-misses", skip,
      "Queries from a result: skips its misses, rows with an empty (NaN) required column or with sphere -1. "
      "The others keep their numbers");
}

DeclaredOption add_seed(CLI::App& app, const std::function<void(std::uint64_t)>& set) {
  return add_count(app, "--seed", set, "", 0).type_name("S");
}

void CommonOptions::declare(CLI::App& app) {
  constexpr std::int64_t max_threads = 4096;
  add_parsed(app, "--threads", "Threads to work with; 0 (default): all", fmt::format("0 … {}", max_threads),
             [this](const std::string& text) {
               std::int64_t n = 0;
               if (io::parse_integer(text, n) != io::Parse::ok || n < 0 || n > max_threads) return false;
               threads = static_cast<int>(n);
               return true;
             })
      .type_name("N");
  add_callback(
      app, "-o,--output",
      [this](const std::string& text) {
        if (text.empty()) refuse_value("--output", "the file name is empty");
        if (text != "-") output = text;
      },
      "Where the result goes; appears whole or not at all. Default, or -: standard output")
      .type_name("FILE");
  add_flag(app, "--quiet", quiet, "No progress, warnings or notes on stderr");
}

std::vector<OutputName> CommonOptions::outputs() const {
  std::vector<OutputName> all{{"--output", output}};
  all.insert(all.end(), more_outputs.begin(), more_outputs.end());
  return all;
}

void CommonOptions::check_outputs() const { check_distinct(outputs()); }

void CommonOptions::protect(const std::string& what, const std::filesystem::path& input) const {
  check_spared(outputs(), what, input);
}

void CommonOptions::protect_files_of(const SceneFile& scene) const {
  for (const std::filesystem::path& path : scene.sources) protect("a file of the scene", path);
}

void SceneOptions::declare(CLI::App& app) {
  declare_path(app);
  add_time(
      app, "--time", given_time,
      "Time of the scene: moves every body along its ephemeris, or to its center + T × velocity, and turns "
      "it by its spin. Default 0; a body whose ephemeris does not cover 0 then stays where the scene places "
      "it");
}

void SceneOptions::declare_times(CLI::App& app) {
  add_times(
      app, "--times", given_times,
      "Instead of --time: answers all queries at each of these times; rows by time, in the column time");
  add_flag(app, "--dates", dates, "With --times: adds the column date");
}

void SceneOptions::declare_ignoring_time(CLI::App& app) {
  declare_path(app);
  add_time(app, "--time", given_time, "Has no effect here: each bullet has its own time");
}

void SceneOptions::declare_path(CLI::App& app) {
  add_file(app, "SCENE", path, fmt::format("Scene file: {}", io::extensions_of(io::scene_formats)))
      .type_name("")
      .required();
  reading.declare(app);
}

void SceneOptions::declare_light_time(CLI::App& app) {
  add_text(app, "--light-time", light_time,
           "Bodies and stars with an ephemeris are seen where they were when the light left that reaches the "
           "center of the sphere BODY, an id or name: that of observers on or near it. In its own frame this "
           "includes aberration. Default: at one time")
      .type_name("BODY");
}

void SceneOptions::declare_owners(CLI::App& app) {
  add_callback(
      app, "--owner-by",
      [this](const std::string& word) {
        owner_by = word == "chain" ? OwnerBy::chain : word == "residue" ? OwnerBy::residue : OwnerBy::name;
        owner_column = owner_by == OwnerBy::name && word != "name" ? word : std::string();
      },
      "What spheres of one owner have in common: chain or residue of atoms, name, or a column that is read "
      "as "
      "their name, such as team or layer. Any number of owners. Rows ignore an owner's spheres by the column "
      "ignore_owner, queries of the scene's own spheres those of their owner; contacts are of two owners")
      .type_name("COLUMN");
}

SceneLoadOptions SceneOptions::loading() const {
  SceneLoadOptions loading = reading;
  std::vector<CsvOptions::Column>& columns = loading.csv.columns;
  if (reading.frame_is_given &&
      std::ranges::find(columns, "frame", &CsvOptions::Column::name) == columns.end())
    columns.push_back({"frame", "frame"});
  if (owner_column.empty()) return loading;
  const auto renamed = std::ranges::find(columns, "layer", &CsvOptions::Column::name);
  const std::string layer = renamed == columns.end() ? "layer" : renamed->in_file;
  const std::string column = owner_column == "layer" ? layer : owner_column;
  if (column == layer) loading.layer_by = AtomLayers::none;
  columns.insert(columns.begin(), {"name", column});
  return loading;
}

void LayerOptions::declare(CLI::App& app) {
  add_callback(
      app, "--layers", [this](const std::string& text) { names = split(text); },
      "Only spheres on these layers count, by name; ids stay the same. Default: all layers")
      .type_name("A,B");
  add_callback(
      app, "--not-layers", [this](const std::string& text) { left_out = split(text); },
      "Spheres on these layers do not count")
      .type_name("A,B");
}

void LayerOptions::declare_of(CLI::App& app, const std::string& option) {
  add_callback(
      app, "--of-layers", [this](const std::string& text) { of = split(text); },
      "With " + option + ": only spheres on these layers have rows; --layers limits what they find")
      .type_name("A,B");
}

namespace {

LayerMask mask_of(const std::vector<std::string>& names, const SceneFile& scene, const std::string& option) {
  LayerMask mask = 0;
  for (const std::string& name : names) {
    const int layer = scene.find_layer(name);
    if (layer < 0) {
      const std::string advice = "the scene has " + io::listed(scene.layer_names);
      throw UsageError(option + ": there is no layer " + io::shown(name) + "; " +
                       io::suggested(name, scene.layer_names, advice));
    }
    mask |= LayerMask{1} << layer;
  }
  return mask;
}

}  // namespace

LayerMask LayerOptions::mask(const SceneFile& scene) const {
  const LayerMask given = names.empty() ? all_layers : mask_of(names, scene, "--layers");
  return given & ~mask_of(left_out, scene, "--not-layers");
}

LayerMask LayerOptions::mask_of_queries(const SceneFile& scene) const {
  return of.empty() ? all_layers : mask_of(of, scene, "--of-layers");
}

DeclaredOption TableOptions::declare(CLI::App& app) {
  std::map<std::string, files::TableFormat> words;
  for (std::size_t i = 0; i < files::table_formats.size(); ++i)
    words.emplace(files::table_formats[i], static_cast<files::TableFormat>(i));
  return add_word<files::TableFormat>(
      app, "--format", format, words,
      io::joined(files::table_formats, " or ") +
          ". Default: by the output's extension; csv if that names no format");
}

std::optional<files::TableFormat> result_format(const std::filesystem::path& path) {
  std::vector<std::string> extensions;
  extensions.reserve(files::table_formats.size());
  for (const std::string_view name : files::table_formats) extensions.push_back('.' + std::string(name));
  check_extension(path, extensions,
                  "a result's name ends in " + io::joined(extensions, " or ") +
                      ", and perhaps .gz; rename it, or give --format");
  const auto found = std::ranges::find(extensions, plain_extension(path));
  if (found == extensions.end()) return std::nullopt;
  return static_cast<files::TableFormat>(found - extensions.begin());
}

void check_compression(const std::filesystem::path& output, files::TableFormat format) {
  if (format == files::TableFormat::npy && output.extension() == ".gz") {
    throw UsageError("--output: a result in NPY cannot be compressed; drop .gz from its name");
  }
}

files::TableFormat TableOptions::format_for(const std::filesystem::path& file) const {
  return format ? *format : result_format(file).value_or(files::TableFormat::csv);
}

void SceneFormatOptions::declare(CLI::App& app) {
  std::map<std::string, const io::SceneFormat*> words;
  for (const io::SceneFormat* known : io::written_formats) words.emplace(known->name, known);
  add_word<const io::SceneFormat*>(app, "--format", format, words,
                                   io::joined(words, " or ", [](const auto& word) { return word.first; }) +
                                       ". Default: by the output's extension; csv on standard output");
}

std::string scene_format_list(std::string_view io::SceneFormat::* meaning) {
  std::vector<files::HelpItem> items;
  items.reserve(io::scene_formats.size());
  for (const io::SceneFormat* format : io::scene_formats)
    if (!(format->*meaning).empty()) items.push_back({format->extension(), format->*meaning});
  return files::help_list(items);
}

const io::SceneFormat& SceneFormatOptions::format_for(const std::filesystem::path& output) const {
  if (format) return *format;
  if (output.empty()) return io::csv_scene;
  if (const io::SceneFormat* const named = io::find_written_format(output)) return *named;
  throw UsageError("--output: " + io::shown(output.string()) + ": the extension names no format; give " +
                   io::extensions_of(io::written_formats) + ", or --format");
}

void IndexOptions::declare(CLI::App& app) {
  add_word<BuildQuality>(
      app, "--quality", quality,
      {{"fast", BuildQuality::fast},
       {"balanced", BuildQuality::balanced},
       {"compact", BuildQuality::compact}},
      "The index: fast to build, compact in memory, or balanced (default); the rows are the same")
      .type_name("QUALITY");
}

DeclaredOption add_query_file(CLI::App& app, const std::string& option, std::filesystem::path& file,
                              const std::string& what, const std::string& columns) {
  std::vector<std::string> formats;
  for (const files::QueryFormat* format : files::query_formats) {
    std::string& name = formats.emplace_back(format->name);
    std::ranges::transform(name, name.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  }
  return add_callback(
             app, option,
             [option, &file](const std::string& text) {
               if (is_numbers(text))
                 refuse_value(option,
                              io::shown(text) +
                                  " is no file; give one with a header and a row for each query, or -, as "
                                  "in: printf 'x,y,z\\n1,2,3\\n' | sphaera …");
               file = text;
             },
             fmt::format("{}: {}, perhaps .gz, with {}; -: {} from stdin", what, io::joined(formats, " or "),
                         columns, formats.front()))
      .type_name("FILE");
}

void AnswerOptions::declare(CLI::App& app, EmbreeAnswers embree) {
  add_shard(app, shard);
  std::map<std::string, Search> searches{{"index", Search::index}, {"brute", Search::brute_force}},
      verifiers{{"brute", Search::brute_force}};
  const bool embree_answers = embree == EmbreeAnswers::yes;
  if (embree_answers) searches["embree"] = verifiers["embree"] = Search::embree;
  add_word<Search>(app, "--search", search, searches,
                   embree_answers ? "index (default), embree: a second index with boxes and traversal of "
                                    "its own, or brute: tests every sphere; the rows are the same"
                                  : "index (default), or brute: tests every sphere; the rows are the same")
      .type_name("SEARCH");
  add_flag(app, "--brute-force", [this] { search = Search::brute_force; }, "Older form of --search brute");
  add_verify(app, verify, seed,
             "Answers N random queries, or all, again by another search; whole rows must agree");
  add_word<Search>(app, "--verify-by", verify_by, verifiers,
                   embree_answers ? "The search that verifies. Default: with --search index, embree for "
                                    "--verify all and brute for --verify N; with another --search, the index"
                                  : "The search that verifies. Default: with --search index, brute; with "
                                    "--search brute, the index")
      .type_name("SEARCH");
}

Search AnswerOptions::verifier(EmbreeAnswers embree) const {
  if (embree == EmbreeAnswers::no && (search == Search::embree || verify_by == Search::embree)) {
    throw UsageError(std::string(search == Search::embree ? "--search" : "--verify-by") +
                     ": embree supports straight flights among spheres at rest, without --near-miss; "
                     "give brute");
  }
  if (verify == 0 && verify_by) throw UsageError("--verify-by: give --verify N, or --verify all, too");
  if (verify_by == search) throw UsageError("--verify-by: this search gives the rows already; give another");
  if (verify_by) return *verify_by;
  if (search != Search::index) return Search::index;
  return verify == verify_all && embree == EmbreeAnswers::yes ? Search::embree : Search::brute_force;
}

const char* name_of(Search search) {
  constexpr std::array names{"the index", "brute force", "the Embree index"};
  return names[static_cast<std::size_t>(search)];
}

std::string both_of(Search a, Search b) {
  constexpr std::array names{"index", "brute force", "Embree index"};
  const auto [first, second] = std::minmax(a, b);
  return fmt::format("{} and {}", names[static_cast<std::size_t>(first)],
                     names[static_cast<std::size_t>(second)]);
}

void add_verify(CLI::App& app, std::uint64_t& verify, std::optional<std::uint64_t>& seed,
                const std::string& description) {
  const auto read = [&verify](const std::string& text) {
    std::int64_t n = 0;
    if (text != "all" && (io::parse_integer(text, n) != io::Parse::ok || n < 0)) return false;
    verify = text == "all" ? verify_all : static_cast<std::uint64_t>(n);
    return true;
  };
  add_parsed(app, "--verify", description, "an integer, 0 or more, or all", read).type_name("N|all");
  add_seed(app, [&seed](std::uint64_t value) {
    seed = value;
  }).description("Seed of the random choice of --verify; default: a new one, printed on stderr");
}

}  // namespace sphaera::tool
