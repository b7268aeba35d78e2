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
#include <tools/scene/query_times.hpp>
#include <tools/shards/part_record.hpp>
#include <tools/terminal/exit.hpp>

namespace sphaera::tool {

template <class Question>
class QueryVerb : public Verb {
 public:
  void declare(CLI::App& app) override {
    const std::string query_columns = files::query_columns<typename Question::Query>().text();
    if constexpr (HasQueryFile<Question>) {
      const DeclaredOption file =
          add_query_file(app, Question::option, answer_.queries, "Queries", query_columns);
      if constexpr (!HasAlternativeFile<Question> && !HasSceneQueries<Question>) file.required();
    }
    if constexpr (HasAlternativeFile<Question>) {
      add_query_file(app, Question::AlternativeFile::option, question_.alternative_file(),
                     Question::AlternativeFile::what,
                     files::query_columns<typename Question::AlternativeFile::Row>().text());
    }
    if constexpr (HasQueryFile<Question> && HasSceneQueries<Question>)
      add_flag(app, Question::SceneQueries::option, question_.asks_scene(), Question::SceneQueries::what);
    answer_.declare(app, embree_answers<Question>());
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
    std::string above_columns = Question::query_help;
    if constexpr (HasTimes<Question>) above_columns += own_view_help;
    describe(app, Question::about, above_columns + Question::help());
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
      constexpr bool moves_later = in_motion || HasTimes<Question>;
      LoadedScene file = open_scene(moves_later ? SceneOptions{scene_.path, scene_.reading} : scene_, console,
                                    stop, part_.scene_files());
      common_.protect_files_of(file);
      name_spheres(table, columns_, file, console);
      const LayerMask mask = layers_.mask(file);
      io::SameBytes passes;
      const files::RowOptions rows{
          .names = &file.names,
          .layer_names = file.layer_names,
          .epoch = file.epoch.empty() ? std::nullopt : std::optional(io::parse_date(file.epoch)),
          .csv = scene_.reading.csv,
          .kept = columns_.kept_fields,
          .keeps_numbers = format == files::TableFormat::npy,
          .skip_bad = scene_.reading.skip_bad_rows,
          .skip_misses = answer_.skip_misses};
      const Prepared prepared{file, scene_, answer_, mask, rows, passes, console, stop, part_};
      if constexpr (requires { question_.prepare(prepared); }) question_.prepare(prepared);
      MotionNeeds motion;
      const char* no_times = nullptr;
      if constexpr (requires { Question::no_times; }) no_times = Question::no_times;
      if constexpr (in_motion) motion = {true, question_.horizon(prepared), question_.takes_longer_horizon()};
      if constexpr (HasTimes<Question>) {
        motion.horizon = times_of_rows(prepared, no_times);
        motion.matters = motion.may_be_longer = motion.horizon.has_value();
        if (!motion.horizon) move_to(file, scene_, console);
      }
      const double time = scene_.time(file);
      const Scene scene = index_scene(file, index_.quality, console, stop, motion);
      const AnswerRun run{scene,   mask,    answer_,        rows,  passes, format,
                          console, stop,    motion.horizon, part_, file,   answer_bytes_here(),
                          time,    no_times};
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
    int given = !answer_.queries.empty();
    if constexpr (HasAlternativeFile<Question>) {
      given += !question_.alternative_file().empty();
      protect(Question::AlternativeFile::option, question_.alternative_file());
    }
    if constexpr (HasSceneQueries<Question>) given += question_.asks_scene();
    if constexpr (requires { Question::either; })
      if (given != 1) throw UsageError(Question::either);
    if constexpr (HasSceneQueries<Question> && HasQueryFile<Question>) {
      if (question_.asks_scene() && !columns_.kept_fields.empty())
        throw UsageError(fmt::format("--keep: {} has no file of queries; give {} FILE",
                                     Question::SceneQueries::option, Question::option));
    }
  }

  /// The time range of the rows of a file with a column `t`, where spheres move. Empty: there is none, and
  /// `no_times` says why there must be none.
  std::optional<Horizon> times_of_rows(const Prepared& scene, const char*& no_times) const {
    const std::uint64_t moving = moving_spheres(scene.file, scene.layers);
    if (moving == 0 && scene.file.orbits.empty()) return {};
    std::optional<Horizon> span;
    const auto read = [&]<class Row>(const std::filesystem::path& path) {
      if (!can_be_read_twice(path)) {
        no_times =
            "spheres move, and these rows cannot be read twice, first for the range of column 't'; name a "
            "plain file, or move all to one time with --time";
      } else if (!path.empty()) {
        span = span_of_times<Row>(path,
                                  {.spheres = scene.file.bodies().size(),
                                   .rows = scene.rows,
                                   .time = scene.options.time(scene.file),
                                   .passes = &scene.passes,
                                   .control = {.stop = scene.stop}},
                                  scene.console);
      }
    };
    read.template operator()<typename Question::Query>(scene.answer.queries);
    if constexpr (HasAlternativeFile<Question>)
      read.template operator()<typename Question::AlternativeFile::Row>(question_.alternative_file());
    if (!span) return {};
    refuse_orbits(scene.file, scene.layers, scene.options.path, "the column 't'");
    scene.console.note(fmt::format("{} sphere{} within {} … {}, the times of the rows", moving,
                                   moving == 1 ? " moves" : "s move", span->from, span->to));
    return span;
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
