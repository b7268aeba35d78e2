#include <fmt/core.h>

#include <algorithm>
#include <io/formats/numbers.hpp>
#include <string>
#include <tools/report/html.hpp>
#include <tools/report/page.hpp>
#include <tools/terminal/plural.hpp>

namespace sphaera::tool {
namespace {

double number_of(const std::string& cell) {
  double value = 0;
  return io::parse_number(cell, value) == io::Parse::ok ? value : 0;
}

/// At most six sums that differ between the groups, means and shares first.
std::vector<std::size_t> chosen_sums(const ResultSummary& result) {
  constexpr std::size_t most = 6;
  std::vector<std::size_t> sums;
  for (std::size_t i = result.sum_keys + 2; i < result.columns.size(); ++i) {
    const ColumnSummary& column = result.columns[i];
    if (column.numbers > 0 && (result.rows == 1 || column.least < column.greatest)) sums.push_back(i);
  }
  std::stable_partition(sums.begin(), sums.end(), [&](std::size_t i) {
    const std::string& name = result.columns[i].name;
    return name.ends_with("_mean") || name.ends_with("_share");
  });
  sums.resize(std::min(sums.size(), most));
  return sums;
}

std::vector<std::string> group_cells(const ResultSummary& result, const std::vector<std::string>& group,
                                     const std::vector<std::size_t>& sums) {
  const std::size_t rows = result.sum_keys;
  std::vector<std::string> cells(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    const bool is_sphere = result.columns[i].role == Role::sphere;
    if (cells[i].empty() || (is_sphere && cells[i] == "-1")) cells[i] = is_sphere ? "none" : "–";
  }
  cells.push_back(group[rows]);
  const double most = result.columns[rows].greatest;
  cells.push_back(
      fmt::format("{:.4g}", most > 0 ? std::clamp(100 * (number_of(group[rows]) / most), 0., 100.) : 0));
  cells.push_back(fmt::format("{:.3g} %", 100 * number_of(group[rows + 1])));
  for (const std::size_t i : sums) cells.push_back(group[i].empty() ? "" : short_number(number_of(group[i])));
  return cells;
}

}  // namespace

std::string groups_table(const ResultSummary& result) {
  const std::vector<std::size_t> sums = chosen_sums(result);
  std::string kinds;
  std::vector<std::string> heads;
  for (std::size_t i = 0; i < result.sum_keys; ++i) {
    const ColumnSummary& key = result.columns[i];
    kinds += key.texts == 0 && key.role != Role::name ? 'n' : 't';
    heads.push_back(key.name);
  }
  kinds += "nbn" + std::string(sums.size(), 'n');
  heads.insert(heads.end(), {"rows", "", "share"});
  for (const std::size_t i : sums) heads.push_back(result.columns[i].name);
  html::Table table(kinds, "", heads);
  for (const std::vector<std::string>& group : result.groups) table.row(group_cells(result, group, sums));
  std::string html = table.end();
  if (result.rows > result.groups.size())
    html += html::element("p", fmt::format("And {} more.", result.rows - result.groups.size())) + "\n";
  const std::size_t left_out = result.columns.size() - result.sum_keys - 2 - sums.size();
  if (left_out > 0)
    html += html::element("p", "The file has " + counted(left_out, "more column") + " of sums.") + "\n";
  return html;
}

}  // namespace sphaera::tool
