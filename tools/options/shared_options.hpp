#pragma once
/// \file Options that verbs share: each group is a struct of values and a function that declares them.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <io/scene/scene_read.hpp>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <sphaera/scene_options.hpp>
#include <string>
#include <string_view>
#include <tools/files/queries/query_file.hpp>
#include <tools/files/results/table.hpp>
#include <tools/options/declare.hpp>
#include <tools/options/given_time.hpp>
#include <tools/options/output_names.hpp>
#include <tools/options/reading_options.hpp>
#include <tools/terminal/console.hpp>
#include <vector>

namespace sphaera::tool {

/// Options of every verb.
struct CommonOptions {
  int threads = 0;               ///< 0: all
  std::filesystem::path output;  ///< empty: standard output
  bool quiet = false;

  std::vector<OutputName> more_outputs{};  ///< further outputs of the verb, for the checks

  void declare(CLI::App& app);
  void check_outputs() const;  ///< throws UsageError if two outputs are one file or stream
  /// Throws UsageError if an output would replace a file that is read: "--output is the scene itself: …".
  void protect(const std::string& what, const std::filesystem::path& input) const;
  void protect_files_of(const SceneFile& scene) const;  ///< the same check for all files of the scene
  Console console() const { return Console(quiet ? Console::Talk::quiet : Console::Talk::normal); }

 private:
  std::vector<OutputName> outputs() const;
};

/// What spheres of one owner have in common: the whole name, or the part of an atom's, as in "A:LEU42:CA".
enum class OwnerBy : std::uint8_t { nothing, name, chain, residue };

/// The scene file and its time.
struct SceneOptions {
  std::filesystem::path path;
  ReadingOptions reading{};
  std::optional<GivenTime> given_time{};    ///< none: 0
  std::optional<GivenTimes> given_times{};  ///< of `--times`
  bool dates = false;                       ///< the times of rows also as dates
  std::string light_time{};                 ///< the sphere from which bodies are seen late; empty: none
  OwnerBy owner_by = OwnerBy::nothing;      ///< which spheres belong to one owner
  std::string owner_column{};               ///< the column that names spheres by owner; empty: that of names

  double time(const SceneFile& scene) const { return given_time ? given_time->in(scene) : 0; }
  SceneLoadOptions loading() const;  ///< how the file is read
  void declare(CLI::App& app);
  void declare_times(CLI::App& app);  ///< `--times`, `--dates`
  /// Declares `--time` for compatibility; it has no effect.
  void declare_ignoring_time(CLI::App& app);
  void declare_path(CLI::App& app);        ///< the path alone, no `--time`
  void declare_light_time(CLI::App& app);  ///< for verbs about stars
  void declare_owners(CLI::App& app);      ///< for verbs whose queries ignore spheres
};

/// Options of the index build.
struct IndexOptions {
  BuildQuality quality = BuildQuality::balanced;

  void declare(CLI::App& app);
};

/// `--layers a,b`: names; empty: all layers. `--not-layers a,b`: all but these.
struct LayerOptions {
  std::vector<std::string> names, left_out, of;

  void declare(CLI::App& app);
  void declare_of(CLI::App& app,
                  const std::string& option);  ///< `--of-layers`; the other option gives the queries
  // Throw UsageError for a name that the scene lacks.
  LayerMask mask(const SceneFile& scene) const;
  LayerMask mask_of_queries(const SceneFile& scene) const;  ///< of the scene's own spheres as queries
};

/// Format given by a file's extension, ignoring `.gz`. Throws UsageError if the extension names a format that
/// results do not support.
std::optional<files::TableFormat> result_format(const std::filesystem::path& path);

/// Throws UsageError for compressed NPY: its header is rewritten at the end, which gzip does not allow.
void check_compression(const std::filesystem::path& output, files::TableFormat format);

/// `--format` of a result. Without it the file's extension decides; the default is CSV.
struct TableOptions {
  std::optional<files::TableFormat> format;

  DeclaredOption declare(CLI::App& app);
  files::TableFormat format_for(const std::filesystem::path& file) const;  ///< throws UsageError
};

/// `--format` of a scene. Without it the output's extension decides; standard output is CSV.
struct SceneFormatOptions {
  const io::SceneFormat* format = nullptr;  ///< null: not given

  void declare(CLI::App& app);
  const io::SceneFormat& format_for(const std::filesystem::path& output) const;  ///< throws UsageError
};

/// A list of scene formats for a help text: the extensions, and what `meaning` says of each.
std::string scene_format_list(std::string_view io::SceneFormat::* meaning);

/// The texts between commas.
std::vector<std::string> split(const std::string& text);

/// `--verify all`.
inline constexpr std::uint64_t verify_all = std::numeric_limits<std::uint64_t>::max();

/// The name of an option, as "rays" of "--rays".
inline const char* without_dashes(const char* option) { return option + 2; }

/// Does Search::embree answer such queries?
enum class EmbreeAnswers : bool { no, yes };

/// Options for a file of queries and its search.
struct AnswerOptions {
  std::filesystem::path queries;
  bool skip_misses = false;
  files::Shard shard{};
  Search search = Search::index;
  std::uint64_t verify = 0;           ///< number of queries to answer again by another search, or verify_all
  std::optional<Search> verify_by;    ///< that search; empty: the verb chooses
  std::optional<std::uint64_t> seed;  ///< seed of the random choice of queries to verify; empty: a new seed

  /// " (seed N)" for a note on what was verified; empty for `--verify all`, which draws nothing.
  std::string seed_note(std::uint64_t used_seed) const {
    return verify == verify_all ? "" : " (seed " + std::to_string(used_seed) + ")";
  }

  /// All options except the file and skip_misses.
  void declare(CLI::App& app, EmbreeAnswers embree = EmbreeAnswers::yes);

  /// The search that verifies. `embree`: in this scene with these options. Throws UsageError if --search or
  /// --verify-by names a search that does not, if both name the same search, or if --verify-by is given
  /// without --verify.
  Search verifier(EmbreeAnswers embree) const;
};

/// "the index", "brute force" or "the Embree index".
const char* name_of(Search search);
/// The two searches as a mismatch message names them: "index and brute force".
std::string both_of(Search a, Search b);

/// Declares an option that names a file of queries: "Observers: CSV or NPY, perhaps .gz, with x,y,z[,on]; …".
DeclaredOption add_query_file(CLI::App& app, const std::string& option, std::filesystem::path& file,
                              const std::string& what, const std::string& columns);
/// `--skip-misses`.
void add_skip_misses(CLI::App& app, bool& skip);
/// `--shard I/N`.
void add_shard(CLI::App& app, files::Shard& shard);
/// Declares `--seed`. Returns the option so that the verb can change its help text.
DeclaredOption add_seed(CLI::App& app, const std::function<void(std::uint64_t)>& set);
/// Declares `--verify N`, where N may be "all", and the seed of its sample.
void add_verify(CLI::App& app, std::uint64_t& verify, std::optional<std::uint64_t>& seed,
                const std::string& description);
}  // namespace sphaera::tool
