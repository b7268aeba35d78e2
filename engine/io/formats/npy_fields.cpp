#include <algorithm>
#include <io/formats/npy_fields.hpp>
#include <io/formats/spelling.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

[[noreturn]] void refuse_missing(const NpyRows& rows, const CsvHeader& header, const CsvColumns& columns,
                                 const CsvOptions& options) {
  const auto missing = std::ranges::find(header.field_of_column, -1) - header.field_of_column.begin();
  const std::string_view title = columns[static_cast<std::size_t>(missing)];
  const std::string renamed = missing_renamed(title, rows.field_names(), options);
  if (!renamed.empty()) fail(rows.name(), renamed);
  const bool is_last = static_cast<std::size_t>(missing) + 1 == columns.required.size();
  fail(rows.name(),
       "field " + shown(title) + " is missing; the array has " + names_in(titles_of(rows.field_names())) +
           "; give --columns " + std::string(title) + "=NAME" +
           (is_last && !columns.without_last.empty() ? " or " + std::string(columns.without_last) : ""));
}

}  // namespace

NpyColumns choose_columns(NpyRows& rows, const CsvColumns& columns, const CsvOptions& options) {
  const std::vector<std::string_view> names = rows.field_names();
  CsvHeader header(names, columns, options);
  std::erase(header.ignored, shown(""));  // bytes of an aligned type
  if (!header.fault.empty()) fail(rows.name(), header.fault);
  if (header.missing() > 0) refuse_missing(rows, header, columns, options);
  std::vector<std::size_t> fields;
  const auto place_of = [&](int field) {
    fields.push_back(static_cast<std::size_t>(field));
    return fields.size() - 1;
  };
  NpyColumns chosen;
  for (const int field : header.field_of_column)
    chosen.place.push_back(field < 0 ? -1 : static_cast<int>(place_of(field)));
  for (const int field : header.field_of_kept) chosen.kept.push_back(place_of(field));
  rows.choose(fields);
  chosen.warnings = header.warnings(rows.name());
  return chosen;
}

}  // namespace sphaera::io
