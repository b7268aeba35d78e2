#include <fmt/core.h>

#include <io/formats/numbers.hpp>
#include <tools/report/html.hpp>
#include <tools/report/page.hpp>
#include <tools/terminal/plural.hpp>

namespace sphaera::tool {
namespace {

std::string card(const std::string& html) { return "<div class=\"card\">" + html + "</div>\n"; }

/// The spheres that most rows name: of `first` those that are hit most.
std::string spheres_table(const ColumnSummary& column, const SceneFile& file) {
  const bool named = !file.names.empty();
  std::vector<std::string> heads{"sphere", "rows", "share"};
  if (named) heads.emplace_back("name");
  const std::string what = column.name == "of" ? "Most rows" : "Most frequent as " + column.name;
  html::Table table("nnnt", what + ", of " + counted(column.spheres, "sphere"), heads);
  for (const auto& [sphere, rows] : column.top_spheres) {
    std::vector<std::string> cells{std::to_string(sphere), std::to_string(rows),
                                   percent(rows, column.numbers)};
    if (named) cells.emplace_back(file.names[static_cast<std::size_t>(sphere)]);
    table.row(cells);
  }
  return card(table.end());
}

/// The queries with most rows, such as the points that see most, or the targets that are seen most.
std::string queries_table(const ColumnSummary& column) {
  const std::string caption = column.name == "from" ? "Points that see most"
                              : column.name == "to" ? "Targets that are seen most"
                                                    : "Most rows, by " + column.name;
  html::Table table("nn", caption, {column.name, "rows"});
  for (const auto& [query, rows] : column.top_queries) table.row({query, std::to_string(rows)});
  return card(table.end());
}

/// The rows of the spheres of each layer, and the sum of their areas or counts.
std::string layers_of_rows(const ResultSummary& result, const ColumnSummary& column, const SceneFile& file) {
  const bool has_sums = !result.sum_column.empty();
  double all = 0;
  for (const LayerSum& layer : column.by_layer) all += layer.sum;
  std::vector<std::string> heads{"layer", "rows", "share"};
  if (has_sums) heads.insert(heads.end(), {result.sum_column, "share of it"});
  html::Table table("tnnnn", "By layer of " + (column.name == "of" ? "sphere" : column.name), heads);
  for (std::size_t i = 0; i < column.by_layer.size(); ++i) {
    const auto& [rows, sum] = column.by_layer[i];
    if (rows == 0) continue;
    std::vector<std::string> cells{file.layer_names[i], std::to_string(rows), percent(rows, column.numbers)};
    if (has_sums)
      cells.insert(cells.end(), {short_number(sum), all > 0 ? fmt::format("{:.3g} %", 100 * sum / all) : ""});
    table.row(cells);
  }
  return card(table.end());
}

}  // namespace

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.3g} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string named_sphere(const std::string& cell, const SceneFile& file) {
  std::int64_t id = 0;
  if (io::parse_integer(cell, id) != io::Parse::ok || id < 0) return cell;
  const auto place = static_cast<std::size_t>(id);
  return place < file.names.size() ? cell + " " + std::string(file.names[place]) : cell;
}

bool stands_with_sphere(const ResultSummary& result, std::size_t column) {
  return column > 0 && result.columns[column].role == Role::name &&
         result.columns[column - 1].role == Role::sphere;
}

std::string frequent_tables(const ResultSummary& result, const SceneFile& file) {
  std::string html;
  for (const ColumnSummary& column : result.columns) {
    if (!column.top_spheres.empty()) html += spheres_table(column, file);
    if (!column.top_queries.empty()) html += queries_table(column);
    if (file.layer_names.size() > 1 && !column.by_layer.empty() && is_subject(column.name))
      html += layers_of_rows(result, column, file);
  }
  return html;
}

}  // namespace sphaera::tool
