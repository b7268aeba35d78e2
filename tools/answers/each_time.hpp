#pragma once
/// \file The times of `--times FROM:TO:STEP`, one after the other.

#include <io/formats/dates.hpp>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <tools/files/queries/query_file.hpp>
#include <tools/files/results/table.hpp>
#include <tools/options/given_time.hpp>
#include <tools/options/shared_options.hpp>
#include <tools/scene/load.hpp>
#include <tools/shards/part_record.hpp>
#include <tools/terminal/console.hpp>
#include <tools/terminal/interrupt.hpp>
#include <tools/terminal/progress.hpp>

namespace sphaera::tool {

/// One of the times of a run.
struct Moment {
  double time;
  std::optional<std::string> date;  ///< with --dates
};

/// The columns that --times and --dates add.
void add_time_columns(std::vector<files::Column>& columns, const SceneOptions& options);
/// The time of the rows that follow.
void set_time(files::TableWriter& table, const Moment& moment);

/// Throws UsageError for options that contradict --times, and for --dates without it.
void check_times(const SceneOptions& options);
/// Throws UsageError for a file of queries that cannot be read once for each time.
void check_read_at_each_time(const std::filesystem::path& queries);

/// The times. Throws UsageError for a saved scene, and as GivenTimes.
TimeSteps times_of(const SceneOptions& options, const LoadedScene& file);

/// The part of a run at one of its times.
struct RunAtTime {
  Moment moment;
  const SceneOptions& scene;     ///< with that time
  const AnswerOptions& answers;  ///< of all rows, verified with one seed for all times
  LoadedScene file;              ///< not moved to that time
  const Console& console;        ///< which does not repeat itself
};

/// Calls answer(run) for each of the times, or of a shard of them. The record gets the files of queries of
/// the first time.
template <class Answer>
void at_each_time(const SceneOptions& scene, const AnswerOptions& answers, const LoadedScene& file,
                  PartRecord& part, const Console& console, const std::stop_token& stop,
                  const Answer& answer) {
  const Console repeated = console.for_repeated_work();
  AnswerOptions asked = answers;
  asked.shard = {};
  if (!asked.seed) asked.seed = std::random_device{}();
  const TimeSteps times = times_of(scene, file);
  const auto epoch = scene.dates ? std::optional(epoch_of(file, "--dates")) : std::nullopt;
  SceneOptions options = scene;
  options.given_times.reset();
  const auto& [index, count] = answers.shard;
  const std::uint64_t begin = files::shard_begin(times.count, index - 1, count),
                      end = files::shard_begin(times.count, index, count);
  Progress progress(console, "times");
  std::optional<std::size_t> files_read;
  for (std::uint64_t i = begin; i < end; ++i) {
    throw_if_interrupted(stop);
    const double time = times[i];
    options.given_time = {.option = "--times", .seconds = time};
    const Moment moment{time, epoch ? std::optional(date_after(*epoch, time)) : std::nullopt};
    answer(RunAtTime{moment, options, asked, {SceneFile(file), {}, file.owners}, repeated});
    progress.add(1, static_cast<double>(i + 1 - begin) / static_cast<double>(end - begin));
    if (std::vector<io::FileDigest>* const read = part.query_files()) {
      if (!files_read) files_read = read->size();
      read->erase(read->begin() + static_cast<std::ptrdiff_t>(*files_read), read->end());
    }
  }
  part.answered({begin, end - begin, times.count});
}

}  // namespace sphaera::tool
