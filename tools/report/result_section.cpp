#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tools/report/html.hpp>
#include <tools/report/page.hpp>
#include <tools/terminal/plural.hpp>

namespace sphaera::tool {
namespace {

/// "30 rows, of 12 rays." if the rows of a query stand together.
std::string rows_text(const ResultSummary& result) {
  const ColumnSummary& first = result.columns[0];
  const bool counts_queries = first.role == Role::query || first.role == Role::sphere;
  if (!counts_queries || result.queries >= result.rows) return counted(result.rows, "row") + ".";
  const std::string what = first.name == "of" ? "sphere" : first.name == "from" ? "point" : first.name;
  return fmt::format("{}, of {}.", counted(result.rows, "row"), counted(result.queries, what.c_str()));
}

/// A sentence for each column that tells how many queries have an answer.
std::string answered_text(const ResultSummary& result) {
  std::string text;
  for (const ColumnSummary& column : result.columns) {
    if (result.rows == 0) break;
    if (column.role == Role::sphere && column.empty > 0)
      text += fmt::format(" {} ({}) have a {}, {} have none.", column.numbers,
                          percent(column.numbers, result.rows), column.name, column.empty);
    if (column.name == "blocked" && column.whole && column.least >= 0 && column.greatest <= 1) {
      const auto blocked =
          static_cast<std::uint64_t>(std::llround(column.mean * static_cast<double>(column.numbers)));
      text += fmt::format(" {} ({}) are blocked.", blocked, percent(blocked, column.numbers));
    }
  }
  return text;
}

/// " In all the area is 2971.32 Å²."
std::string totals_text(const ResultSummary& result, const std::string& unit) {
  std::string text;
  for (const ColumnSummary& column : result.columns) {
    if (!is_additive(column.name) || column.numbers == 0) continue;
    text += fmt::format(" In all the {} is {}{}.", column.name, short_number(column.total()),
                        column.name == "area" && !unit.empty() ? " " + unit + "²" : "");
  }
  return text;
}

/// "Sums by sphere, light: 12 groups." The name of a sphere is no key of its own.
std::string sums_text(const ResultSummary& result) {
  std::string keys;
  for (std::size_t i = 0; i < result.sum_keys; ++i) {
    if (stands_with_sphere(result, i)) continue;
    keys += (keys.empty() ? "" : ", ") + result.columns[i].name;
  }
  return "Sums by " + keys + ": " + counted(result.rows, "group") + ".";
}

/// Places alone, as of observers, are a list; which verb wrote other tables, their columns tell.
bool is_list_of_places(const ResultSummary& result) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(result.columns, name, &ColumnSummary::name) != result.columns.end();
  };
  return result.question.empty() &&
         ((has("x") && has("y") && has("z")) || (has("longitude") && has("latitude")));
}

std::string what_it_is(const ResultSummary& result) {
  if (result.sum_keys > 0) return sums_text(result);
  if (!result.question.empty()) return "Result of " + result.question + ".";
  return is_list_of_places(result) ? "A list of places." : "A table.";
}

/// Words for numbers of `magnitude` that are left out.
std::string left_out_text(const ColumnSummary& column) {
  return fmt::format(
      "{} with {} > {} left out: there a body far wider than the star hides it, such as the "
      "ground after sunset.",
      counted(column.left_out, "row"), column.name, short_number(greatest_shown(column.name)));
}

std::string numbers_table(const ResultSummary& result) {
  html::Table table("tnnnnnn", "", {"column", "numbers", "empty", "least", "mean", "greatest", "deviation"});
  bool is_empty = true;
  const bool lists_places = is_list_of_places(result);
  for (const ColumnSummary& column : result.columns) {
    const bool has_statistics = column.role == Role::measure || column.role == Role::place;
    if (!has_statistics || column.numbers == 0) continue;
    is_empty = false;
    const bool has_mean = !(lists_places && column.role == Role::place);
    table.row({column.name, std::to_string(column.numbers), std::to_string(column.empty),
               short_number(column.least), has_mean ? short_number(column.mean) : "",
               short_number(column.greatest), has_mean ? short_number(column.deviation()) : ""});
    if (column.infinite > 0) table.row({"infinite " + column.name, std::to_string(column.infinite)});
  }
  return is_empty ? "" : table.end();
}

std::string words_table(const ColumnSummary& column, std::uint64_t rows) {
  std::vector<std::pair<std::string, std::uint64_t>> words(column.words.begin(), column.words.end());
  std::ranges::stable_sort(words, std::greater(), &std::pair<std::string, std::uint64_t>::second);
  html::Table table("tnn", "", {column.name, "rows", "share"});
  for (const auto& [word, count] : words) table.row({word, std::to_string(count), percent(count, rows)});
  if (column.other_words > 0)
    table.row({"others", std::to_string(column.other_words), percent(column.other_words, rows)});
  return "<div class=\"card\">" + table.end() + "</div>\n";
}

std::string top_table(const ResultSummary& result, const ColumnSummary& column, std::string_view words,
                      const std::vector<TopRow>& rows, const SceneFile& file) {
  std::string kinds;
  std::vector<std::string> heads;
  std::vector<std::size_t> shown;  // positions in the labels
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    const ColumnSummary& label = result.columns[result.labels[i]];
    const bool is_text = label.texts > 0 || (label.role == Role::sphere && !file.names.empty());
    if (stands_with_sphere(result, result.labels[i])) continue;
    if (i > 0 && label.role == Role::measure && !is_text) continue;
    shown.push_back(i);
    kinds += is_text && !label.name.ends_with("date") ? 't' : 'n';
    heads.push_back(label.name);
  }
  heads.push_back(column.name);
  html::Table table(kinds + 'n', words, heads);
  for (const TopRow& row : rows) {
    std::vector<std::string> cells;
    for (const std::size_t i : shown) {
      const bool is_sphere = result.columns[result.labels[i]].role == Role::sphere;
      cells.push_back(is_sphere ? named_sphere(row.labels[i], file) : row.labels[i]);
    }
    cells.push_back(short_number(row.value));
    table.row(cells);
  }
  return table.end();
}

std::string measure_card(const ResultSummary& result, const ColumnSummary& column, const SceneFile& file) {
  std::string html = "<div class=\"card\">" + html::element("h3", column.name);
  html += "<figure>" + column.histogram.svg("Histogram of " + column.name) + "</figure>\n";
  if (column.left_out > 0) html += html::element("p", left_out_text(column)) + "\n";
  constexpr double few_values = 1;  // of a column of 0 and 1 the extremes say nothing
  if (!column.whole || column.greatest - column.least > few_values) {
    const auto& [greatest, least] = extreme_words(column.name);
    html += top_table(result, column, greatest, column.most, file) +
            top_table(result, column, least, column.fewest, file);
  }
  return html + "</div>\n";
}

}  // namespace

std::string result_section(const ResultSummary& result, const std::vector<std::string>& commands,
                           const SceneFile& file) {
  std::string html = "<section>" + html::element("h2", result.path.filename().string());
  html +=
      html::element("p", what_it_is(result) + (result.sum_keys > 0 ? totals_text(result, file.unit) : "")) +
      "\n";
  for (const std::string& command : commands) html += html::element("pre", command) + "\n";
  if (result.sum_keys > 0) return html + groups_table(result, file) + "</section>\n";
  html += html::element("p", rows_text(result) + answered_text(result) + totals_text(result, file.unit)) +
          "\n" + numbers_table(result);
  if (!result.curves.empty())
    html += html::element("h3", result.curve_column + " over time") +
            result.curves.html(result.curve_column + " over time");
  html += "<div class=\"cards\">\n" + frequent_tables(result, file);
  for (const ColumnSummary& column : result.columns) {
    const bool is_date = column.name == "date" || column.name.ends_with("_date");
    if (column.role == Role::measure && !column.words.empty() && !is_date)
      html += words_table(column, result.rows);
  }
  for (const ColumnSummary& column : result.columns)
    if (column.left_out > 0 && !column.has_histogram())
      html += html::element("p", left_out_text(column)) + "\n";
    else if (column.has_histogram() && !(column.name == "time" && !result.curves.empty()))
      html += measure_card(result, column, file);
  return html + "</div></section>\n";
}

}  // namespace sphaera::tool
