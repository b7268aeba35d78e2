#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <io/formats/numbers.hpp>
#include <io/formats/spelling.hpp>
#include <io/streams/file_error.hpp>
#include <iterator>
#include <tools/options/column_options.hpp>
#include <tools/options/shared_options.hpp>
#include <tools/terminal/exit.hpp>

namespace sphaera::tool {
namespace {

using files::Column;

std::vector<std::string> names_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

/// The columns, with one of names behind each one of ids of spheres.
std::vector<Column> with_names(const std::vector<Column>& columns) {
  std::vector<Column> all;
  for (const Column& column : columns) {
    all.push_back(column);
    if (column.kind == Column::Kind::sphere) all.push_back(Column::sphere_name(column.name + "_name"));
  }
  if (all.size() == columns.size()) throw UsageError("--names: this result has no ids of spheres");
  return all;
}

/// "t_enter/10": a column and the width of its intervals; 0: none.
std::pair<std::string, double> name_and_width(const std::string& text, const std::vector<Column>& columns) {
  const std::size_t slash = text.rfind('/');
  double width = 0;
  const auto is_column = [&](std::string_view name) {
    return std::ranges::find(columns, name, &Column::name) != columns.end();
  };
  if (slash == std::string::npos || is_column(text)) return {text, 0};
  const std::string behind = text.substr(slash + 1);
  if (io::parse_number(behind, width) != io::Parse::ok) {
    if (!is_column(text.substr(0, slash))) return {text, 0};  // perhaps a column of the query file
    throw UsageError("--by: " + io::shown(behind) + " is no width; give a number, as in --by t_enter/10");
  }
  if (!(width > 0 && std::isfinite(width)))
    throw UsageError("--by: give intervals a width above 0, as in --by t_enter/10");
  return {text.substr(0, slash), width};
}

[[noreturn]] void refuse_column(const std::string& option, const std::string& name,
                                const std::vector<Column>& columns) {
  throw UsageError(option + ": " + io::no_column(name, "", "the result", names_of(columns)));
}

}  // namespace

void ColumnOptions::declare(CLI::App& app) {
  add_callback(
      app, "--output-columns", [this](const std::string& text) { shown = split(text); },
      "Columns of the result, in this order. Default: all. --verify compares all of them")
      .type_name("A,B");
}

void ColumnOptions::declare_names(CLI::App& app) {
  add_flag(app, "--names", names,
           "Names of spheres in a column behind that of their ids, such as sphere_name; csv or jsonl");
}

void ColumnOptions::declare_keep(CLI::App& app) {
  add_callback(
      app, "--keep",
      [this](const std::string& text) {
        for (const std::string& column : split(text)) add_kept(column);
      },
      "Columns of the query file that each row of the result carries as they are (in npy: numbers); "
      "NEW=A gives one another name")
      .type_name("A,B");
}

void ColumnOptions::declare_by(CLI::App& app) {
  add_callback(
      app, "--by", [this](const std::string& text) { by = split(text); },
      "Sums of the rows with the same value in a column of the result or of the query file, or in several: "
      "rows, "
      "share of all rows, mean, least and greatest of numbers; A/WIDTH takes a number in intervals")
      .type_name("A,B");
}

void ColumnOptions::check_by(const files::Shard& shard) const {
  if (!by.empty() && shard.count > 1)
    throw UsageError("--by: sums are of the rows of all parts; leave out --shard");
}

void ColumnOptions::add_kept(const std::string& text) {
  const std::size_t equals = text.find('=');
  kept_fields.push_back(equals == std::string::npos ? text : text.substr(equals + 1));
  kept_columns.push_back(text.substr(0, equals));
  if (kept_fields.back().empty() || kept_columns.back().empty())
    refuse_value("--keep", "a name is empty; give names of columns of the query file, as in --keep id,team");
}

void ColumnOptions::add_kept_columns(std::vector<Column>& columns) const {
  for (const std::string& name : kept_columns) {
    if (std::ranges::find(columns, name, &Column::name) != columns.end()) {
      throw UsageError("--keep: the result has a column " + io::shown(name) +
                       " already; rename the kept one: " + "--keep NEW=" + name);
    }
    columns.push_back(Column::kept(name));
  }
}

/// The keys of --by. Adds columns of names of spheres or of the query file that only --by names.
std::vector<files::SumKey> ColumnOptions::find_keys(std::vector<Column>& columns, bool query_file) {
  std::vector<files::SumKey> keys;
  for (const std::string& text : by) {
    const std::pair<std::string, double> key = name_and_width(text, columns);
    const auto& [name, width] = key;
    const auto find = [&] { return std::ranges::find(columns, key.first, &Column::name); };
    constexpr std::string_view of_names = "_name";
    if (find() == columns.end() && !names && name.ends_with(of_names)) {
      std::vector<Column> named = with_names(columns);
      names = std::ranges::find(named, name, &Column::name) != named.end();
      if (names) columns = std::move(named);
    }
    if (find() == columns.end()) {
      if (!query_file) refuse_column("--by", name, columns);
      add_kept(name);
      columns.push_back(Column::kept(name));
    }
    const auto found = find();
    const bool is_number = found->kind == Column::Kind::number || found->kind == Column::Kind::integer;
    if (width > 0 && !is_number)
      throw UsageError("--by: intervals are of numbers of the result, and column " + io::shown(name) +
                       " has none");
    const auto position = static_cast<std::size_t>(found - columns.begin());
    if (std::ranges::find(keys, position, &files::SumKey::column) != keys.end())
      throw UsageError("--by: column " + io::shown(name) + " is given twice; give it once");
    keys.push_back({position, width});
  }
  return keys;
}

files::TableWriter ColumnOptions::open(const std::filesystem::path& output, files::TableFormat format,
                                       std::vector<Column> columns, const Console& console, bool query_file) {
  if (names) columns = with_names(columns);
  add_kept_columns(columns);
  if (!by.empty()) {
    std::vector<files::SumKey> keys = find_keys(columns, query_file);
    files::TableSums sums(columns, std::move(keys));
    std::vector<std::size_t> chosen = shown_of(sums.columns(format));
    sums.keep_only(chosen, format);
    return {output, format, std::move(columns), std::move(sums), std::move(chosen)};
  }
  std::vector<std::size_t> chosen = shown_of(columns);
  const auto is_name = [&](std::size_t column) { return columns[column].kind == Column::Kind::sphere_name; };
  if (names && format == files::TableFormat::npy && (chosen.empty() || std::ranges::any_of(chosen, is_name)))
    throw UsageError("--names: NPY holds numbers alone; give --format csv or jsonl");
  warn_of_hidden(columns, chosen, console);
  return {output, format, std::move(columns), std::move(chosen)};
}

void ColumnOptions::warn_of_hidden(const std::vector<Column>& columns, const std::vector<std::size_t>& chosen,
                                   const Console& console) const {
  if (chosen.empty()) return;
  const auto is_shown = [&](const std::string& name) {
    return std::ranges::find(shown, name) != shown.end();
  };
  std::vector<std::string> kept, of_spheres;
  std::ranges::remove_copy_if(kept_columns, std::back_inserter(kept), is_shown);
  for (const Column& column : columns)
    if (column.kind == Column::Kind::sphere_name) of_spheres.push_back(column.name);
  const auto warn = [&](const char* option, const std::vector<std::string>& hidden) {
    console.warn(fmt::format("--output-columns leaves out {} of {}; name these there, too",
                             io::listed(hidden), option));
  };
  if (!kept.empty()) warn("--keep", kept);
  if (!of_spheres.empty() && std::ranges::none_of(of_spheres, is_shown)) warn("--names", of_spheres);
}

std::vector<std::size_t> ColumnOptions::shown_of(const std::vector<Column>& columns) const {
  const std::vector<std::string> known = names_of(columns);
  std::vector<std::size_t> positions;
  for (const std::string& name : shown) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) refuse_column("--output-columns", name, columns);
    const auto position = static_cast<std::size_t>(found - known.begin());
    if (std::ranges::find(positions, position) != positions.end())
      throw UsageError("--output-columns: column " + io::shown(name) + " is given twice; give it once");
    positions.push_back(position);
  }
  return positions;
}

}  // namespace sphaera::tool
