#include <algorithm>
#include <io/formats/csv_header.hpp>
#include <io/formats/numbers.hpp>
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

/// Names and layers that are numbers only if the options say where.
std::vector<std::string_view> columns_of(const ColumnTerms& terms, const SceneLoadOptions& options) {
  std::vector<std::string_view> columns(column_names.begin(), column_names.end());
  if (!terms.texts)
    std::erase_if(columns, [&](std::string_view column) {
      return (column == "name" || column == "layer") && !is_renamed(column, options);
    });
  return columns;
}

CsvHeader header_of(std::span<const std::string_view> names, std::span<const std::string_view> columns,
                    const ColumnTerms& terms, const SceneLoadOptions& options,
                    std::span<const std::string_view> own = {}) {
  return {names,
          {.required = columns.first(needed), .optional = columns.subspan(needed), .own = own},
          with_standard(options.csv, terms)};
}

std::string_view standard_name(std::string_view column, const ColumnTerms& terms) {
  const auto found = std::ranges::find(terms.standard, column, &CsvOptions::Column::name);
  return found == terms.standard.end() ? column : std::string_view(found->in_file);
}

}  // namespace

SphereColumns::SphereColumns(std::span<const std::string_view> names, const ColumnTerms& terms,
                             const SceneInput& input, const FileLine& place, SceneBuilder& builder,
                             std::vector<std::string> ignored)
    : positions_(count, -1), radius_(input.options.radius.value_or(0)) {
  const SceneLoadOptions& options = input.options;
  const std::vector<std::string_view> columns = columns_of(terms, options), own = own_columns(input);
  CsvHeader header = header_of(names, columns, terms, options, own);
  if (!header.fault.empty()) fail(place.name, place.line, header.fault);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto* const known = std::ranges::find(column_names, columns[c]);
    positions_[static_cast<std::size_t>(known - column_names.begin())] = header.field_of_column[c];
  }
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
  return header_of(names, columns_of(terms, options), terms, options).ignored.size() < names.size();
}

bool is_renamed(std::string_view column, const SceneLoadOptions& options) {
  return std::ranges::find(options.csv.columns, column, &CsvOptions::Column::name) !=
         options.csv.columns.end();
}

std::vector<std::string_view> own_columns(const SceneInput& input) {
  std::vector<std::string_view> own;
  if (input.is_named) return own;
  for (const std::string_view column : column_names)
    if (is_renamed(column, input.options) &&
        std::ranges::find(input.options.elsewhere, column) == input.options.elsewhere.end())
      own.push_back(column);
  return own;
}

int NumberedLayers::layer(double number, const FileLine& place) {
  if (last_layer_ >= 0 && number == last_) return last_layer_;
  std::string text;
  append_number(text, number);
  last_ = number, last_layer_ = builder_.layer(text, place, csv_layer_advice);
  return last_layer_;
}

void name_by(double number, SceneBuilder& builder) {
  std::string text;
  append_number(text, number);
  builder.name(text);
}

}  // namespace sphaera::io
