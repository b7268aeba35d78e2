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

/// The column that bars show: `rows`, or the area of layers. Its share follows.
std::size_t weight_of(const ResultSummary& result) {
  const auto share =
      std::ranges::find(result.columns.begin() + static_cast<std::ptrdiff_t>(result.sum_keys) + 1,
                        result.columns.end(), "share", &ColumnSummary::name);
  return static_cast<std::size_t>(share - result.columns.begin()) - 1;
}

/// At most six sums that differ between the groups, means and shares first.
std::vector<std::size_t> chosen_sums(const ResultSummary& result, std::size_t weight) {
  constexpr std::size_t most = 6;
  std::vector<std::size_t> sums;
  for (std::size_t i = weight + 2; i < result.columns.size(); ++i) {
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
                                     std::size_t weight, const std::vector<std::size_t>& sums,
                                     const SceneFile& file) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < result.sum_keys; ++i) {
    const ColumnSummary& key = result.columns[i];
    const bool is_sphere = key.role == Role::sphere;
    if (stands_with_sphere(result, i)) continue;
    if (is_sphere && (group[i].empty() || group[i] == "-1"))
      cells.emplace_back("none");
    else if (group[i].empty())
      cells.emplace_back("–");
    else
      cells.push_back(is_sphere ? named_sphere(group[i], file) : group[i]);
  }
  for (std::size_t i = result.sum_keys; i < weight; ++i) cells.push_back(group[i]);
  const double most = result.columns[weight].greatest, here = number_of(group[weight]);
  cells.push_back(weight == result.sum_keys ? group[weight] : short_number(here));
  cells.push_back(fmt::format("{:.4g}", most > 0 ? std::clamp(100 * (here / most), 0., 100.) : 0));
  cells.push_back(fmt::format("{:.3g} %", 100 * number_of(group[weight + 1])));
  for (const std::size_t i : sums) cells.push_back(group[i].empty() ? "" : short_number(number_of(group[i])));
  return cells;
}

}  // namespace

std::string groups_table(const ResultSummary& result, const SceneFile& file) {
  const std::size_t weight = weight_of(result);
  const std::vector<std::size_t> sums = chosen_sums(result, weight);
  const bool has_names = !file.names.empty();
  std::string kinds;
  std::vector<std::string> heads;
  const auto add = [&](char kind, const std::string& head) {
    kinds += kind;
    heads.push_back(head);
  };
  for (std::size_t i = 0; i < result.sum_keys; ++i) {
    const ColumnSummary& key = result.columns[i];
    if (stands_with_sphere(result, i)) continue;
    add(key.texts == 0 && !(key.role == Role::sphere && has_names) ? 'n' : 't', key.name);
  }
  for (std::size_t i = result.sum_keys; i <= weight; ++i) add('n', result.columns[i].name);
  add('b', ""), add('n', "share");
  for (const std::size_t i : sums) add('n', result.columns[i].name);
  html::Table table(kinds, "", heads);
  for (const std::vector<std::string>& group : result.groups)
    table.row(group_cells(result, group, weight, sums, file));
  std::string html = table.end();
  if (result.rows > result.groups.size())
    html += html::element("p", fmt::format("And {} more.", result.rows - result.groups.size())) + "\n";
  const std::size_t left_out = result.columns.size() - weight - 2 - sums.size();
  if (left_out > 0)
    html += html::element("p", "The file has " + counted(left_out, "more column") + " of sums.") + "\n";
  return html;
}

}  // namespace sphaera::tool
