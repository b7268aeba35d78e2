#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <io/formats/numbers.hpp>
#include <io/streams/file_error.hpp>
#include <limits>
#include <tools/report/result_summary.hpp>
#include <tools/report/table_file.hpp>
#include <tuple>
#include <utility>

namespace sphaera::tool {
namespace {

constexpr std::size_t max_label = 100;  // bytes of a cell that is kept

std::string kept_text(std::string_view text) { return std::string(text.substr(0, max_label)); }

/// The rows of a result, several times; each pass must read the same bytes.
class Passes {
 public:
  Passes(const std::filesystem::path& path, const std::stop_token& stop) : path_(path), stop_(stop) {}

  template <class Row>
  void each_row(const Row& take) {
    std::vector<io::FileDigest> digests;
    const std::unique_ptr<TableFile> table = open_table(path_, {.stop = stop_, .digests = &digests});
    while (table->next()) take(*table);
    same_.check(digests.front());
  }

 private:
  const std::filesystem::path& path_;
  std::stop_token stop_;
  io::SameBytes same_;
};

/// Puts the row into a list of at most top_count, before those that `precedes` does not put first. Of equal
/// values those of earlier rows stay.
template <class Precedes>
void put(std::vector<TopRow>& list, double value, const Precedes& precedes, const auto& labels_of_row) {
  if (list.size() == top_count && !precedes(value, list.back().value)) return;
  const auto place =
      std::ranges::find_if(list, [&](const TopRow& row) { return precedes(value, row.value); });
  list.insert(place, TopRow{value, labels_of_row()});
  if (list.size() > top_count) list.pop_back();
}

/// Puts an item on the list of those with most rows; of equals the first stays.
template <class Item>
void put_frequent(std::vector<Item>& top, Item item) {
  if (item.rows == 0 || (top.size() == top_count && item.rows <= top.back().rows)) return;
  const auto place = std::ranges::find_if(top, [&](const Item& other) { return item.rows > other.rows; });
  top.insert(place, std::move(item));
  if (top.size() > top_count) top.pop_back();
}

std::vector<SphereCount> most_frequent(const std::vector<std::uint64_t>& rows) {
  std::vector<SphereCount> top;
  for (std::size_t id = 0; id < rows.size(); ++id)
    put_frequent(top, SphereCount{static_cast<std::int64_t>(id), rows[id]});
  return top;
}

/// The first pass: all but histograms and shades.
class FirstPass {
 public:
  FirstPass(ResultSummary& summary, const SummaryOptions& options)
      : summary_(summary), spheres_(options.spheres), layers_(options.layers) {}

  void take(const TableFile& table) {
    if (summary_.rows == 0) name_columns(table.columns());
    ++summary_.rows;
    if (summary_.sum_keys > 0 && summary_.groups.size() < max_groups) take_group(table);
    const std::string_view first = table.text(0);
    if (summary_.queries == 0 || first != last_first_) end_query(), ++summary_.queries, last_first_ = first;
    ++rows_of_query_;
    for (std::size_t i = 0; i < summary_.columns.size(); ++i) take_cell(table, i);
  }

  /// Completes the lists of queries, after the last row.
  void finish() {
    end_query();
    std::vector<QueryCount>& top = summary_.columns[0].top_queries;
    if (is_of_many_times() || (!top.empty() && top.front().rows == least_rows_)) top.clear();
    for (ColumnSummary& column : summary_.columns) {
      if (column.name != "to" || rows_of_target_.empty()) continue;
      const auto [least, most] = std::ranges::minmax(rows_of_target_);
      if (least == most) continue;
      for (const auto& [target, rows] : most_frequent(rows_of_target_))
        column.top_queries.push_back({std::to_string(target), rows});
    }
  }

  void name_columns(const std::vector<std::string>& names) {
    if (!summary_.columns.empty()) return;
    summary_.question = question_of(names);
    summary_.sum_keys = sum_keys(names);
    summary_.curve_column = curve_column(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      summary_.columns.push_back({.name = names[i], .role = role_of(names[i])});
      if (is_label(i)) summary_.labels.push_back(i);
      if (summary_.sum_column.empty() && is_additive(names[i])) summary_.sum_column = names[i], sum_ = i;
    }
    rows_of_sphere_.resize(names.size());
  }

  /// Numbers of rows of each sphere, by column and id; empty for other columns.
  const std::vector<std::vector<std::uint64_t>>& rows_of_sphere() const { return rows_of_sphere_; }

 private:
  /// The first column, subjects and their names.
  bool is_label(std::size_t i) const {
    const auto& [columns, labels] = std::tie(summary_.columns, summary_.labels);
    if (columns[i].role == Role::name) return !labels.empty() && labels.back() + 1 == i;
    return i == 0 || is_subject(columns[i].name) || may_name_rows(columns[i].name);
  }

  /// --times puts the time last: a query has rows at each.
  bool is_of_many_times() const {
    const std::string& last = summary_.columns.back().name;
    return last == "time" || last == "date";
  }

  /// Puts the query whose rows end here on the list of those with most rows, if they are several.
  void end_query() {
    const std::uint64_t rows = std::exchange(rows_of_query_, 0);
    ColumnSummary& column = summary_.columns[0];
    if (rows == 0 || column.role != Role::query) return;
    least_rows_ = std::min(least_rows_, rows);
    put_frequent(column.top_queries, QueryCount{kept_text(last_first_), rows});
  }

  /// Counts the rows of a target; those of great numbers are left out.
  void take_target(double number) {
    constexpr double most = 1 << 20;
    if (!(number >= 0 && number < most)) return;
    const auto target = static_cast<std::size_t>(number);
    if (target >= rows_of_target_.size()) rows_of_target_.resize(target + 1);
    ++rows_of_target_[target];
  }

  void take_group(const TableFile& table) {
    std::vector<std::string>& cells = summary_.groups.emplace_back();
    for (std::size_t i = 0; i < summary_.columns.size(); ++i) cells.push_back(kept_text(table.text(i)));
  }

  void take_cell(const TableFile& table, std::size_t i) {
    ColumnSummary& column = summary_.columns[i];
    const std::optional<double> number = table.number(i);
    if (column.role == Role::sphere) return take_sphere(table, i, number);
    if (!number) return take_text(column, table.text(i));
    if (std::isinf(*number)) {
      ++column.infinite;
      return;
    }
    if (*number > greatest_shown(column.name)) {
      ++column.left_out;
      return;
    }
    take_number(column, *number);
    if (column.name == "to") take_target(*number);
    if (column.role != Role::measure) return;
    const auto labels = [&] {
      std::vector<std::string> texts;
      for (const std::size_t label : summary_.labels) texts.push_back(kept_text(table.text(label)));
      return texts;
    };
    put(column.most, *number, std::greater(), labels);
    put(column.fewest, *number, std::less(), labels);
  }

  /// Mean and squares by Welford (1962).
  static void take_number(ColumnSummary& column, double value) {
    column.least = column.numbers == 0 ? value : std::min(column.least, value);
    column.greatest = column.numbers == 0 ? value : std::max(column.greatest, value);
    ++column.numbers;
    column.whole = column.whole && value == std::floor(value);
    const double step = value - column.mean;
    column.mean += step / static_cast<double>(column.numbers);
    column.squares += step * (value - column.mean);
  }

  static void take_text(ColumnSummary& column, std::string_view text) {
    if (text.empty()) {
      ++column.empty;
      return;
    }
    ++column.texts;
    if (column.role == Role::name) return;
    const std::string_view kept = text.substr(0, max_label);
    if (const auto found = column.words.find(kept); found != column.words.end()) {
      ++found->second;
    } else if (column.words.size() < max_words) {
      column.words.emplace(kept, 1);
    } else {
      ++column.other_words;
    }
  }

  void take_sphere(const TableFile& table, std::size_t i, const std::optional<double>& number) {
    ColumnSummary& column = summary_.columns[i];
    if (!number && !table.text(i).empty())
      io::fail(table.name(), table.line(),
               fmt::format("column {}: {} is no id of a sphere", io::shown(column.name),
                           io::shown(table.text(i))));
    if (!number || *number == -1) {
      ++column.empty;
      return;
    }
    std::int64_t id = 0;
    if (!io::to_integer(*number, id) || id < 0 || static_cast<std::uint64_t>(id) >= spheres_) {
      io::fail(
          table.name(), table.line(),
          fmt::format("column {}: there is no sphere {} among the scene's {}; is this the result of another "
                      "scene?",
                      io::shown(column.name), short_number(*number), spheres_));
    }
    std::vector<std::uint64_t>& rows = rows_of_sphere_[i];
    rows.resize(spheres_);
    ++column.numbers;
    column.spheres += ++rows[static_cast<std::size_t>(id)] == 1;
    if (layers_.empty()) return;
    const std::uint8_t layer = layers_[static_cast<std::size_t>(id)];
    if (layer >= column.by_layer.size()) column.by_layer.resize(layer + std::size_t{1});
    LayerSum& sum = column.by_layer[layer];
    ++sum.rows;
    if (!summary_.sum_column.empty()) sum.sum += table.number(sum_).value_or(0);
  }

  ResultSummary& summary_;
  std::uint64_t spheres_;
  std::span<const std::uint8_t> layers_;
  std::size_t sum_ = 0;  // position of sum_column
  std::string last_first_;
  std::uint64_t rows_of_query_ = 0, least_rows_ = UINT64_MAX;
  std::vector<std::vector<std::uint64_t>> rows_of_sphere_;
  std::vector<std::uint64_t> rows_of_target_;
};

/// Has each row a sphere of its own, in the first column?
bool is_of_spheres(const ResultSummary& summary) {
  return summary.columns[0].role == Role::sphere && summary.rows == summary.queries &&
         summary.columns[0].spheres == summary.rows;
}

/// The second pass: histograms, and the values of spheres.
class SecondPass {
 public:
  SecondPass(ResultSummary& summary, std::span<const std::int64_t> shown)
      : summary_(summary), shade_of_column_(summary.columns.size(), none) {
    const bool of_spheres = is_of_spheres(summary);
    if (of_spheres) {
      for (std::size_t i = 0; i < shown.size(); ++i) places_.emplace_back(shown[i], i);
      std::ranges::sort(places_);
    }
    find_curves();
    for (std::size_t i = 0; i < summary.columns.size(); ++i) {
      ColumnSummary& column = summary.columns[i];
      if (!column.has_histogram()) continue;
      column.histogram = Histogram(HistogramScale::of(column.least, column.greatest),
                                   column.whole ? Histogram::Numbers::whole : Histogram::Numbers::real);
      if (!of_spheres) continue;
      shade_of_column_[i] = summary.shades.size();
      summary.shades.push_back(
          {column.name, std::vector<float>(shown.size(), std::numeric_limits<float>::quiet_NaN())});
    }
  }

  void take(const TableFile& table) {
    if (value_ != none) take_point(table);
    const std::size_t place = place_of_row(table);
    for (std::size_t i = 0; i < summary_.columns.size(); ++i) {
      ColumnSummary& column = summary_.columns[i];
      if (!column.has_histogram()) continue;
      const std::optional<double> number = table.number(i);
      if (!number || std::isinf(*number) || *number > greatest_shown(column.name)) continue;
      column.histogram.add(*number);
      if (place != none) summary_.shades[shade_of_column_[i]].values[place] = static_cast<float>(*number);
    }
  }

 private:
  static constexpr std::size_t none = SIZE_MAX;

  std::size_t position(std::string_view name) const {
    const auto found = std::ranges::find(summary_.columns, name, &ColumnSummary::name);
    return found == summary_.columns.end() ? none
                                           : static_cast<std::size_t>(found - summary_.columns.begin());
  }

  void find_curves() {
    if (summary_.curve_column.empty()) return;
    time_ = position("time"), date_ = position("date");
    const ColumnSummary &time = summary_.columns[time_],
                        &value = summary_.columns[position(summary_.curve_column)];
    if (!(time.least < time.greatest) || value.numbers == 0) return;
    value_ = position(summary_.curve_column);
    const double margin = value.least == value.greatest ? 1 : 0;  // a line that is level
    summary_.curves = Curves({time.least, time.greatest}, {value.least - margin, value.greatest + margin});
  }

  /// A curve for each query and star, or each sphere that a row is about; kept texts name it.
  void take_point(const TableFile& table) {
    const std::optional<double> time = table.number(time_), value = table.number(value_);
    if (!time || !value || !std::isfinite(*time) || !std::isfinite(*value)) return;
    std::string key, numbers, texts;
    for (const std::size_t i : summary_.labels) {
      const ColumnSummary& column = summary_.columns[i];
      const bool is_first_sphere = column.role == Role::sphere && i == 0;
      if (column.role == Role::query || is_first_sphere) {
        key.append(table.text(i)) += ',';
        if (is_first_sphere || numbers.empty() || column.least < column.greatest)
          numbers += (numbers.empty() ? "" : ", ") + column.name + " " + std::string(table.text(i));
      } else if (column.role == Role::measure && column.texts > 0 && i != date_) {
        texts += (texts.empty() ? "" : ", ") + kept_text(table.text(i));
      }
    }
    const std::string name = texts.empty() ? numbers : texts + " (" + numbers + ")";
    summary_.curves.add(key, name, date_ == none ? std::string_view() : table.text(date_), *time, *value);
  }

  /// Where the row's sphere stands among the shown ones.
  std::size_t place_of_row(const TableFile& table) const {
    if (places_.empty()) return none;
    const auto id = static_cast<std::int64_t>(table.number(0).value_or(-1));
    const auto found =
        std::ranges::lower_bound(places_, id, {}, &std::pair<std::int64_t, std::size_t>::first);
    return found != places_.end() && found->first == id ? found->second : none;
  }

  ResultSummary& summary_;
  std::size_t time_ = none, date_ = none, value_ = none;  // columns of curves
  std::vector<std::size_t> shade_of_column_;
  std::vector<std::pair<std::int64_t, std::size_t>> places_;  // ids of shown spheres, ascending
};

/// How often each shown sphere is in the column.
Shade rows_shade(const ColumnSummary& column, const std::vector<std::uint64_t>& rows,
                 std::span<const std::int64_t> shown) {
  Shade shade{"rows with it as " + column.name, {}};
  for (const std::int64_t id : shown) {
    const std::uint64_t count = rows[static_cast<std::size_t>(id)];
    shade.values.push_back(count > 0 ? static_cast<float>(count) : std::numeric_limits<float>::quiet_NaN());
  }
  return shade;
}

}  // namespace

double ColumnSummary::deviation() const {
  return numbers < 2 ? 0 : std::sqrt(squares / static_cast<double>(numbers - 1));
}

ResultSummary sum_up(const std::filesystem::path& path, const SummaryOptions& options) {
  ResultSummary summary{.path = path};
  std::vector<Shade> rows_of_spheres;
  Passes passes(path, options.stop);
  {
    FirstPass first(summary, options);
    first.name_columns(open_table(path, {.stop = options.stop})->columns());
    passes.each_row([&](const TableFile& table) { first.take(table); });
    first.finish();
    const bool of_spheres = is_of_spheres(summary);
    for (std::size_t i = 0; i < summary.columns.size(); ++i) {
      const std::vector<std::uint64_t>& rows = first.rows_of_sphere()[i];
      if (rows.empty() || (of_spheres && i == 0)) continue;  // each sphere is in its own row
      summary.columns[i].top_spheres = most_frequent(rows);
      rows_of_spheres.push_back(rows_shade(summary.columns[i], rows, options.shown));
    }
  }
  SecondPass second(summary, options.shown);
  passes.each_row([&](const TableFile& table) { second.take(table); });
  std::ranges::move(rows_of_spheres, std::back_inserter(summary.shades));
  return summary;
}

}  // namespace sphaera::tool
