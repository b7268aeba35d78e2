#pragma once
/// \file The base of verbs that answer a file of queries. A Question (question.hpp) defines the verb.

#include <filesystem>
#include <io/streams/machine_memory.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <tools/answers/answering.hpp>
#include <tools/answers/question.hpp>
#include <tools/files/results/table.hpp>
#include <tools/options/column_options.hpp>
#include <tools/options/verb.hpp>
#include <tools/scene/load.hpp>
#include <tools/shards/part_record.hpp>
#include <tools/terminal/exit.hpp>

namespace sphaera::tool {

template <class Question>
class QueryVerb : public Verb {
 public:
  void declare(CLI::App& app) override {
    const std::string query_columns = files::query_columns<typename Question::Query>().text();
    if constexpr (!HasQueryFile<Question>) {
      answer_.declare_search(app, embree_answers<Question>());
    } else if constexpr (HasAlternativeFile<Question>) {
      add_query_file(app, Question::option, answer_.queries, "Queries", query_columns);
      add_query_file(app, Question::AlternativeFile::option, question_.alternative_file(),
                     Question::AlternativeFile::what,
                     files::query_columns<typename Question::AlternativeFile::Row>().text());
      answer_.declare_search(app, embree_answers<Question>());
    } else if constexpr (HasSceneQueries<Question>) {
      add_query_file(app, Question::option, answer_.queries, "Queries", query_columns);
      add_flag(app, Question::SceneQueries::option, question_.asks_scene(), Question::SceneQueries::what);
      answer_.declare_search(app, embree_answers<Question>());
    } else {
      answer_.declare(app, Question::option, query_columns, embree_answers<Question>());
    }
    if constexpr (HasQueryFile<Question>) add_skip_misses(app, answer_.skip_misses);
    question_.declare(app);
    layers_.declare(app);
    in_motion ? scene_.declare_ignoring_time(app) : scene_.declare(app);
    index_.declare(app);
    table_.declare(app);
    columns_.declare(app);
    columns_.declare_names(app);
    if constexpr (HasQueryFile<Question>) columns_.declare_keep(app);
    common_.declare(app);
    part_.declare(app);
    describe(app, Question::about, Question::query_help + Question::help());
  }

  void run(const std::stop_token& stop) override {
    on_threads(common_.threads, [&] {
      const Console console = common_.console();
      check_files();
      const files::TableFormat format = table_.format_for(common_.output);
      check_compression(common_.output, format);
      if constexpr (requires { question_.open(answer_); }) question_.open(answer_);
      files::TableWriter table = columns_.open(common_.output, format, question_.columns_out());
      part_.open(common_, answer_.shard, format);
      LoadedScene file = open_scene(in_motion ? SceneOptions{scene_.path, scene_.reading} : scene_, console,
                                    stop, part_.scene_files());
      common_.protect_files_of(file);
      name_spheres(table, columns_, file, console);
      const LayerMask mask = layers_.mask(file);
      io::SameBytes passes;
      const files::RowOptions rows{&file.names,
                                   scene_.reading.csv,
                                   columns_.kept_fields,
                                   format == files::TableFormat::npy,
                                   scene_.reading.skip_bad_rows,
                                   answer_.skip_misses};
      const Prepared prepared{file, scene_, answer_, mask, rows, passes, console, stop, part_};
      if constexpr (requires { question_.prepare(prepared); }) question_.prepare(prepared);
      MotionNeeds motion;
      if constexpr (in_motion) motion = {true, question_.horizon(prepared), question_.takes_longer_horizon()};
      const Scene scene = index_scene(file, index_.quality, console, stop, motion);
      const AnswerRun run{scene,   mask, answer_,        rows,  passes, format,
                          console, stop, motion.horizon, part_, file,   answer_bytes_here()};
      if constexpr (requires { question_.begin(run); }) question_.begin(run);
      Answering<Question>(question_, run, table).run();
      if constexpr (requires { question_.finish(run); }) question_.finish(run);
      if constexpr (requires { question_.write_sums(run, table); }) question_.write_sums(run, table);
      part_.commit(table.finish());
      if constexpr (requires { question_.commit(); }) question_.commit();
    });
  }

 private:
  void check_files() {
    if constexpr (requires { question_.outputs(); }) common_.more_outputs = question_.outputs();
    part_.add_output(common_);
    common_.check_outputs();
    const auto protect = [&](const char* option, const std::filesystem::path& file) {
      common_.protect("the file of " + std::string(without_dashes(option)), file);
    };
    common_.protect("the scene", scene_.path);
    if constexpr (HasQueryFile<Question>) protect(Question::option, answer_.queries);
    if constexpr (HasAlternativeFile<Question>) {
      if (answer_.queries.empty() == question_.alternative_file().empty())
        throw UsageError(Question::AlternativeFile::either);
      protect(Question::AlternativeFile::option, question_.alternative_file());
    }
    if constexpr (HasSceneQueries<Question> && HasQueryFile<Question>) {
      if (answer_.queries.empty() != question_.asks_scene()) throw UsageError(Question::SceneQueries::either);
      if (question_.asks_scene() && !columns_.kept_fields.empty())
        throw UsageError(fmt::format("--keep: {} has no file of queries; give {} FILE",
                                     Question::SceneQueries::option, Question::option));
    }
  }

  /// Most bytes of the answers to a batch that fit beside the scene. They take up to three times as much
  /// while they are joined, and --verify holds others.
  static std::uint64_t answer_bytes_here() {
    const std::uint64_t beside = io::memory_beside(io::resident_memory());
    return beside == 0 ? 0 : std::max<std::uint64_t>(1, beside / 4);
  }

  static constexpr bool in_motion =
      requires(const Question& question, const Prepared& prepared) { question.horizon(prepared); };

  CommonOptions common_;
  SceneOptions scene_;
  LayerOptions layers_;
  TableOptions table_;
  ColumnOptions columns_;
  AnswerOptions answer_;
  IndexOptions index_;
  PartRecord part_;
  Question question_;
};

}  // namespace sphaera::tool
