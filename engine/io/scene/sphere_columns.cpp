#include <algorithm>
#include <io/formats/csv_header.hpp>
#include <io/formats/spelling.hpp>
#include <io/scene/sphere_columns.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

constexpr std::array<std::string_view, 10> column_names{"x",  "y",  "z",        "r",    "vx",
                                                        "vy", "vz", "diameter", "name", "layer"};
constexpr std::size_t needed = SphereColumns::r;  // x, y and z, which no option replaces

/// The columns of the options, then the format's own for those that the options do not name.
CsvOptions with_standard(const CsvOptions& given, const ColumnTerms& terms) {
  CsvOptions options = given;
  for (const CsvOptions::Column& own : terms.standard)
    if (std::ranges::find(given.columns, own.name, &CsvOptions::Column::name) == given.columns.end())
      options.columns.push_back(own);
  return options;
}

CsvHeader header_of(std::span<const std::string_view> names, const ColumnTerms& terms,
                    const SceneLoadOptions& options) {
  const auto columns =
      std::span(column_names).first(terms.texts ? column_names.size() : SphereColumns::numbers);
  return {names, {columns.first(needed), columns.subspan(needed)}, with_standard(options.csv, terms)};
}

std::string_view standard_name(std::string_view column, const ColumnTerms& terms) {
  const auto found = std::ranges::find(terms.standard, column, &CsvOptions::Column::name);
  return found == terms.standard.end() ? column : std::string_view(found->in_file);
}

}  // namespace

SphereColumns::SphereColumns(std::span<const std::string_view> names, const ColumnTerms& terms,
                             const SceneLoadOptions& options, const FileLine& place, SceneBuilder& builder,
                             std::vector<std::string> ignored)
    : radius_(options.radius.value_or(0)) {
  CsvHeader header = header_of(names, terms, options);
  if (!header.fault.empty()) fail(place.name, place.line, header.fault);
  positions_ = header.field_of_column;
  positions_.resize(column_names.size(), -1);
  constexpr std::size_t most = 12;
  const auto missing = [&](std::size_t column, const char* otherwise) {
    const std::string renamed = missing_renamed(column_names[column], names, options.csv);
    if (!renamed.empty()) fail(place.name, place.line, renamed);
    fail(place.name, place.line,
         std::string(terms.one) + ' ' + shown(standard_name(column_names[column], terms)) +
             std::string(terms.of) + " is missing; there are " + names_in(titles_of(names)) +
             "; give --columns " + std::string(column_names[column]) + "=NAME" + otherwise);
  };
  for (std::size_t column = 0; column < needed; ++column)
    if (!has(column)) missing(column, "");
  if (!has(r) && !has(diameter) && !options.radius) missing(r, " or --radius R");
  const int velocities = has(vx) + has(vy) + has(vz);
  if (velocities == 1 || velocities == 2)
    fail(place.name, place.line,
         "some of the " + std::string(terms.many) + " 'vx', 'vy', 'vz' are missing; give all three or none");
  const auto warn = [&](const char* what, std::vector<std::string>& list) {
    if (!list.empty()) builder.warn(place.name + ": " + std::string(terms.many) + what + some_of(list, most));
  };
  warn(" taken: ", header.guesses);
  header.ignored.insert(header.ignored.end(), ignored.begin(), ignored.end());
  warn(" ignored: ", header.ignored);
}

bool SphereColumns::knows(std::span<const std::string_view> names, const ColumnTerms& terms,
                          const SceneLoadOptions& options) {
  return header_of(names, terms, options).ignored.size() < names.size();
}

}  // namespace sphaera::io
