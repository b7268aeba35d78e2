#include <io/formats/numbers.hpp>
#include <tools/answers/each_time.hpp>
#include <tools/scene/query_times.hpp>
#include <tools/terminal/exit.hpp>

namespace sphaera::tool {

void add_time_columns(std::vector<files::Column>& columns, const SceneOptions& options) {
  if (options.given_times) columns.push_back(files::Column::kept("time"));
  if (options.given_times && options.dates) columns.push_back(files::Column::kept("date"));
}

void set_time(files::TableWriter& table, const Moment& moment) {
  std::string number;
  io::append_number(number, moment.time);
  table.set_time(std::move(number), moment.date);
}

void check_times(const SceneOptions& options) {
  if (options.given_times && options.given_time)
    throw UsageError("--times: give --time or --times, not both");
  if (options.dates && !options.given_times) throw UsageError("--dates: give --times FROM:TO:STEP, too");
}

void check_read_at_each_time(const std::filesystem::path& queries) {
  if (!queries.empty() && !can_be_read_twice(queries))
    throw UsageError("--times: the queries are read once for each time; name a plain file");
}

TimeSteps times_of(const SceneOptions& options, const LoadedScene& file) {
  if (file.opened) {
    throw UsageError("--times: " + options.path.string() +
                     " is indexed for one time; give the scene that it was made of");
  }
  return options.given_times->in(file);
}

}  // namespace sphaera::tool
