#include <algorithm>
#include <io/formats/csv_records.hpp>
#include <io/formats/numbers.hpp>
#include <io/formats/spelling.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>
#include <tools/files/queries/query_file.hpp>
#include <tools/options/reading_options.hpp>
#include <tuple>

namespace sphaera::tool {
namespace {

/// All columns that some file may have, each once.
std::vector<std::string_view> known_columns() {
  std::vector<std::string_view> all(io::csv_scene_columns.begin(), io::csv_scene_columns.end());
  const auto add = [&](std::span<const std::string_view> columns) {
    for (const std::string_view column : columns)
      if (std::ranges::find(all, column) == all.end()) all.push_back(column);
  };
  const auto add_kind = [&](const files::QueryColumns& columns) {
    add(columns.required), add(columns.optional);
  };
  [&]<class... Query>(std::tuple<Query...>*) {
    (add_kind(files::query_columns<Query>()), ...);
  }(static_cast<files::QueryKinds*>(nullptr));
  add(io::ephemeris_columns), add(files::own_view_columns), add({&files::owner_column, 1});
  return all;
}

/// The column that the text begins with, as in "x=…"; empty if there is none.
std::string_view column_before(std::string_view text, const std::vector<std::string_view>& known) {
  const std::size_t equals = text.find('=');
  const std::string_view column = text.substr(0, equals);
  const bool is_known = equals != std::string_view::npos && std::ranges::find(known, column) != known.end();
  return is_known ? column : std::string_view{};
}

/// Reads a number from 0, or "last", which is −1.
std::int64_t parse_frame(std::string_view text) {
  std::int64_t frame = -1;
  if (text != "last" && (io::parse_integer(text, frame) != io::Parse::ok || frame < 0))
    refuse_value("--frame", io::shown(text) + " is no frame; give a number from 0, or last");
  return frame;
}

bool parse_delimiter(const std::string& text, char& delimiter) {
  if (text == "tab" || text == "\\t") {
    delimiter = '\t';
  } else if (text == "blank" || text == "blanks" || text == "space") {
    delimiter = io::blanks;
  } else {
    if (text.size() != 1 || std::string_view(",;|:!~^\t ").find(text[0]) == std::string_view::npos)
      return false;
    delimiter = text[0];
  }
  return true;
}

}  // namespace

std::vector<CsvOptions::Column> parse_columns(std::string_view text) {
  const std::vector<std::string_view> known = known_columns();
  std::vector<CsvOptions::Column> columns;
  while (!text.empty()) {
    const std::string_view column = column_before(text, known);
    if (column.empty())
      refuse_value("--columns", io::shown(text) + " does not begin with a column and =; " +
                                    io::suggested(text.substr(0, text.find('=')),
                                                  std::vector<std::string>(known.begin(), known.end()),
                                                  "columns are " + io::listed(known)) +
                                    ": write x=NAME,y=NAME");
    std::size_t end = column.size() + 1;
    while (end < text.size() && !(text[end] == ',' && !column_before(text.substr(end + 1), known).empty()))
      ++end;
    columns.push_back(
        {std::string(column), std::string(text.substr(column.size() + 1, end - column.size() - 1))});
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return columns;
}

void ReadingOptions::declare(CLI::App& app) {
  add_callback(
      app, "--columns", [this](const std::string& text) { csv.columns = parse_columns(text); },
      "Names of columns in the headers of CSV files, such as x=pos_x,y=pos_y,layer=team. Default: the names "
      "themselves, or usual others, such as radius for r, with a warning")
      .type_name("X=NAME,…");
  add_word<bool>(app, "--bad-rows", skip_bad_rows, {{"stop", false}, {"skip", true}},
                 "A bad row of a table (CSV, NPY, PLY) is an error (stop, default) or skipped: the first are "
                 "named on stderr, and all counted. Queries keep their numbers, ids count the spheres left")
      .type_name("WHAT");
  add_parsed(app, "--delimiter", "What separates the fields of CSV files; default: found by the header",
             "a separator: , ; | : tab or blank",
             [this](const std::string& text) { return parse_delimiter(text, csv.delimiter); })
      .type_name("C");
  add_amount(app, "--radius", "Radius of the scene's spheres in files that give no radii, or 0", domain_limit,
             "a number, 0 or more", [this](double value) { radius = value; })
      .type_name("R");
  add_callback(
      app, "--frame", [this](const std::string& text) { frame = parse_frame(text), frame_is_given = true; },
      "Frame of scene files that have several: its number, from 0, or last. Default 0, with a warning. In "
      "CSV "
      "it is that in the column frame, or counted in the order of times in seconds: --columns t=NAME")
      .type_name("N");
  add_callback(
      app, "--radii",
      [this](const std::string& text) {
        if (is_numbers(text))
          refuse_value("--radii",
                       io::shown(text) +
                           " is no file; give one with a header and a row for each element, as in: "
                           "element,radius, or one radius for all spheres by --radius");
        radii = text;
      },
      "Radii of atoms in files that give none: a CSV with the columns element and radius, in the scene's "
      "unit. Default: van der Waals radii (Bondi 1964, Mantina 2009, Alvarez 2013), or --radius")
      .type_name("FILE");
  add_word(app, "--layer-by", layer_by,
           std::map<std::string, AtomLayers>{{"element", AtomLayers::element},
                                             {"chain", AtomLayers::chain},
                                             {"residue", AtomLayers::residue},
                                             {"none", AtomLayers::none}},
           "What puts atoms on layers, at most 64: element (default), chain, residue or none; none also "
           "leaves out "
           "the layers of tables")
      .type_name("WORD");
}

}  // namespace sphaera::tool
