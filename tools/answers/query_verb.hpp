#pragma once
/// \file The base of verbs that answer a file of queries. A Question (question.hpp) defines the verb.

#include <filesystem>
#include <io/streams/machine_memory.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <tools/answers/answering.hpp>
#include <tools/answers/each_time.hpp>
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
    if constexpr (HasQueryFile<Question> && HasSceneQueries<Question>)
      layers_.declare_of(app, Question::SceneQueries::option);
    in_motion ? scene_.declare_ignoring_time(app) : scene_.declare(app);
    if constexpr (!in_motion) scene_.declare_times(app);
    if constexpr (requires { Question::sees_stars; }) scene_.declare_light_time(app);
    if constexpr (has_owners || requires { Question::pairs_owners; }) scene_.declare_owners(app);
    index_.declare(app);
    table_.declare(app);
    columns_.declare(app);
    columns_.declare_names(app);
    if constexpr (HasQueryFile<Question>) columns_.declare_keep(app);
    if constexpr (!requires { Question::has_own_sums; }) columns_.declare_by(app);
    common_.declare(app);
    part_.declare(app);
    std::string above_columns = Question::query_help;
    if constexpr (HasTimes<Question>) above_columns += own_view_help;
    if constexpr (has_owners) above_columns += owner_help;
    describe(app, Question::about, above_columns + Question::help());
  }

  void run(const std::stop_token& stop) override {
    on_threads(common_.threads, [&] {
      const Console console = common_.console();
      check_files();
      const files::TableFormat format = table_.format_for(common_.output);
      check_compression(common_.output, format);
      if constexpr (requires { question_.open(answer_); }) question_.open(answer_);
      if constexpr (requires { question_.take_keys(columns_.by); }) question_.take_keys(columns_.by);
      files::TableWriter table =
          columns_.open(common_.output, format, columns_out(), console, has_query_file());
      part_.open(common_, answer_.shard, format);
      SceneOptions loading = scene_;
      loading.reading.elsewhere = columns_of_queries();
      if (in_motion || HasTimes<Question>) loading.given_time.reset();  // the scene moves later
      LoadedScene file = open_scene(loading, console, stop, part_.scene_files());
      if (HasTimes<Question> && scene_.given_time) note_late_dates(scene_, file, console);
      common_.protect_files_of(file);
      name_spheres(table, columns_, file, console);
      io::SameBytes passes;
      const Job job{format, table, layers_.mask(file), passes, stop};
      if constexpr (!in_motion) {
        if (scene_.given_times) answer_at_times(file, job, console);
      }
      if (!scene_.given_times) answer(question_, scene_, answer_, file, job, console);
      part_.commit(table.finish());
      if constexpr (requires { question_.commit(); }) question_.commit();
    });
  }

 private:
  /// What all times of a run share.
  struct Job {
    files::TableFormat format;
    files::TableWriter& table;
    LayerMask layers;
    io::SameBytes& passes;
    const std::stop_token& stop;
  };

  /// Answers all queries at the time of the options, which `file` is moved to.
  void answer(Question& question, const SceneOptions& options, const AnswerOptions& asked, LoadedScene& file,
              const Job& job, const Console& console) {
    files::RowOptions rows{
        .names = &file.names,
        .layer_names = file.layer_names,
        .owners = &file.owners.named,
        .epoch = file.epoch.empty() ? std::nullopt : std::optional(io::parse_date(file.epoch)),
        .csv = options.reading.csv,
        .kept = columns_.kept_fields,
        .keeps_numbers = job.format == files::TableFormat::npy,
        .skip_bad = options.reading.skip_bad_rows,
        .skip_misses = asked.skip_misses};
    const Prepared prepared{file, options, asked, job.layers, rows, job.passes, console, job.stop, part_};
    if constexpr (requires { question.prepare(prepared); }) question.prepare(prepared);
    if constexpr (requires { question.renamed_elsewhere(); }) rows.elsewhere = question.renamed_elsewhere();
    MotionNeeds motion;
    const char* no_times = nullptr;
    if constexpr (requires { Question::no_times; }) no_times = Question::no_times;
    if constexpr (in_motion) motion = {true, question.horizon(prepared), question.takes_longer_horizon()};
    if constexpr (HasTimes<Question>) {
      motion.horizon = times_of_rows(question, prepared, no_times);
      motion.matters = motion.may_be_longer = motion.horizon.has_value();
      if (!motion.horizon) move_to(file, options);
    }
    if constexpr (requires { question.place(file, options, console); })
      question.place(file, options, console);
    const double time = options.time(file);
    const Scene scene = index_scene(file, index_.quality, console, job.stop, motion);
    const AnswerRun run{scene,   job.layers, asked,
                        rows,    job.passes, job.format,
                        console, job.stop,   motion.horizon,
                        part_,   file,       answer_bytes_here(),
                        time,    no_times,   layers_.mask_of_queries(file)};
    if constexpr (requires { question.begin(run); }) question.begin(run);
    Answering<Question>(question, run, job.table).run();
    if constexpr (requires { question.finish(run); }) question.finish(run);
    if constexpr (requires { question.write_sums(run, job.table); }) question.write_sums(run, job.table);
  }

  /// Answers all queries at each of the times, or of a shard of them.
  void answer_at_times(const LoadedScene& file, const Job& job, const Console& console) {
    at_each_time(scene_, answer_, file, part_, console, job.stop, [&](RunAtTime run) {
      set_time(job.table, run.moment);
      if constexpr (!HasTimes<Question>) move_to(run.file, run.scene);
      Question question = question_;
      answer(question, run.scene, run.answers, run.file, job, run.console);
    });
  }

  std::vector<files::Column> columns_out() {
    std::vector<files::Column> columns = question_.columns_out();
    add_time_columns(columns, scene_);
    return columns;
  }

  /// Columns that `--columns` may name for the queries, not for the scene.
  std::vector<std::string> columns_of_queries() {
    std::vector<std::string> all;
    const auto add = [&](const files::QueryColumns& columns) {
      all.insert(all.end(), columns.required.begin(), columns.required.end());
      all.insert(all.end(), columns.optional.begin(), columns.optional.end());
    };
    if (has_query_file()) add(files::query_columns<typename Question::Query>());
    if constexpr (HasAlternativeFile<Question>)
      add(files::query_columns<typename Question::AlternativeFile::Row>());
    if constexpr (requires { question_.renamed_elsewhere(); }) add(files::query_columns<Vec3>());
    return all;
  }

  bool has_query_file() {
    if constexpr (HasSceneQueries<Question>) return HasQueryFile<Question> && !question_.asks_scene();
    return true;
  }

  void check_files() {
    check_times(scene_);
    if (scene_.given_times) check_inputs_at_times();
    columns_.check_by(answer_.shard);
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
      if (!question_.asks_scene() && !layers_.of.empty())
        throw UsageError(fmt::format("--of-layers: these are layers of the scene's own spheres; give {}",
                                     Question::SceneQueries::option));
    }
  }

  void check_inputs_at_times() const {
    if constexpr (requires { question_.outputs(); }) {
      for (const OutputName& output : question_.outputs())
        throw UsageError("--times: " + output.option + " is of one time; give --time");
    }
    check_read_at_each_time(answer_.queries);
    if constexpr (HasAlternativeFile<Question>) check_read_at_each_time(question_.alternative_file());
  }

  /// The time range of the rows of a file with a column `t`, where spheres move. Empty: there is none, and
  /// `no_times` says why there must be none.
  std::optional<Horizon> times_of_rows(const Question& question, const Prepared& scene,
                                       const char*& no_times) const {
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
      read.template operator()<typename Question::AlternativeFile::Row>(question.alternative_file());
    if (!span) return {};
    if (scene_.given_times) throw UsageError("--times: the queries have a column 't'; leave out one of both");
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

  static constexpr bool has_owners = HasQueryFile<Question> && files::may_ignore<typename Question::Query>;
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
