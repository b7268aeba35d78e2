#include <algorithm>
#include <cmath>
#include <io/formats/csv.hpp>
#include <io/formats/file_kind.hpp>
#include <io/formats/numbers.hpp>
#include <io/formats/spelling.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/printable.hpp>
#include <iterator>

namespace sphaera::io {
namespace {

bool are_numbers(std::span<const std::string_view> fields) {
  return std::ranges::all_of(fields, [](std::string_view field) {
    double value = 0;
    return parse_number(trimmed(field), value) != Parse::malformed;
  });
}

/// Reads a number in which a comma may stand for the decimal point. Not inline: few files need it.
[[gnu::noinline]] Parse parse_with_comma(std::string_view text, double& value) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return parse_number(text, value);
  std::string with_point(text);
  with_point[comma] = '.';
  return parse_number(with_point, value);
}

/// A file that has its right name stands where a table is needed.
std::string advice_of(const FileKind& kind, const std::string& name) {
  const bool has_its_name = !kind.format.empty() && name.ends_with("." + std::string(kind.format));
  return has_its_name
             ? "a table is needed here: CSV or NPY; sphaera convert FILE -o FILE.csv makes one of a scene"
             : std::string(kind.advice);
}

}  // namespace

CsvTable::CsvTable(ByteSource& source, const CsvColumns& columns, const CsvOptions& options)
    : records_(source), columns_(columns), kept_(columns.kept.begin(), columns.kept.end()) {
  columns_.kept = kept_;
  if (const FileKind* const kind = kind_of(records_.beginning()))
    fail(name(), 1, "this is " + std::string(kind->name) + ", not CSV; " + advice_of(*kind, name()));
  find_columns(options);
}

/// Finds the header: the first line or, if that holds numbers alone, the comment before it, as numpy.savetxt
/// writes it.
void CsvTable::find_columns(const CsvOptions& options) {
  std::optional<CsvRecords::Header> found = records_.header();
  if (!found)
    fail(name(), 1, "the file is empty; its first line must be a header with " + listed(columns_.required));
  separator_ = options.delimiter ? options.delimiter : found->separator;
  char known = separator_;
  CsvFields fields;
  std::string* record = &found->record;
  const char* fault = divide_header(*record, columns_, options, separator_, fields);
  if (!fault && are_numbers(fields.fields()) && !found->comment.empty()) {
    records_.repeat_header();
    warnings_.push_back(name() + ": the comment before the first row is taken as its header");
    separator_ = known, record = &found->comment;
    fault = divide_header(*record, columns_, options, separator_, fields);
  }
  if (fault) fail(name(), line(), fault);
  records_.separate_by(separator_);
  CsvHeader header(fields.fields(), columns_, options);
  if (!header.fault.empty()) fail(name(), line(), header.fault);
  if (header.missing() > 0) refuse_header(header, fields.fields(), options);
  field_of_column_ = std::move(header.field_of_column), field_of_kept_ = std::move(header.field_of_kept);
  titles_ = titles_of(fields.fields());
  std::ranges::move(header.warnings(name()), std::back_inserter(warnings_));
}

void CsvTable::refuse_header(const CsvHeader& header, std::span<const std::string_view> fields,
                             const CsvOptions& options) const {
  if (are_numbers(fields)) {
    fail(name(), line(),
         "there is no header, but a row of numbers; put a line with the names of the columns before it: " +
             listed(columns_.required));
  }
  const auto missing = std::ranges::find(header.field_of_column, -1) - header.field_of_column.begin();
  const std::string_view title = columns_.required[static_cast<std::size_t>(missing)];
  const std::string renamed = missing_renamed(title, fields, options);
  if (!renamed.empty())
    fail(name(), line(), renamed + " separated by " + separator_name(separator_) + "; or give --delimiter C");
  const bool is_last = static_cast<std::size_t>(missing) + 1 == columns_.required.size();
  const std::string advice =
      columns_.is_renamed
          ? "give --columns " + std::string(title) + "=NAME" +
                (is_last && !columns_.without_last.empty() ? ", " + std::string(columns_.without_last) : "") +
                " or --delimiter C"
          : "write these names, one separator between two";
  fail(name(), line(),
       "column " + shown(title) + " is missing; the header needs " + listed(columns_.required) + ", it has " +
           names_in(titles_of(fields)) + " separated by " + separator_name(separator_) + "; " + advice);
}

bool CsvTable::next() {
  if (!records_.next()) {
    if (records_.ends_inside_line() && !std::exchange(ended_, true))
      warnings_.push_back(last_line_warning(name()));
    return false;
  }
  ++rows_;
  if (records_.fields().size() != titles_.size()) {
    fail(name(), line(),
         "the row has " + std::to_string(records_.fields().size()) + " fields, the header " +
             std::to_string(titles_.size()) +
             (separator_ == ','
                  ? "; is the file cut short, or a comma not quoted?"
                  : ", separated by " + separator_name(separator_) + "; is the file cut short?"));
  }
  return true;
}

std::string_view CsvTable::text(int column) const {
  return records_.fields()[static_cast<std::size_t>(field_of_column_[static_cast<std::size_t>(column)])];
}

std::string_view CsvTable::label(int column) const {
  std::string_view label = text(column);
  if (!records_.quoted(static_cast<std::size_t>(field_of_column_[static_cast<std::size_t>(column)])))
    label = trimmed(label);
  if (find_bad_utf8(label) != std::string_view::npos)
    refuse(column, "is not UTF-8; convert the file (iconv -f LATIN1 -t UTF-8)");
  return label;
}

/// Reads a number; where commas do not separate fields, one may stand for the decimal point.
Parse CsvTable::parse(std::string_view text, double& value) const {
  return separator_ == ',' ? parse_number(text, value) : parse_with_comma(text, value);
}

double CsvTable::number(int column) const {
  double value = 0;
  const Parse parsed = parse(trimmed(text(column)), value);
  if (parsed != Parse::ok) [[unlikely]]
    refuse_number(column, parsed);
  return value;
}

void CsvTable::refuse_number(int column, Parse parsed) const {
  if (parsed == Parse::out_of_range) refuse(column, "is beyond the range of a double");
  if (trimmed(text(column)).empty() && !columns_.if_empty.empty())
    refuse(column, "is empty; write a number, or " + std::string(columns_.if_empty));
  std::string help = "write digits with a point, or inf, -inf, nan";
  if (may_be_units())
    help = std::string("if the line below the header has units, remove it") +
           (columns_.is_renamed ? ", or give --bad-rows skip" : "");
  refuse(column, "is not a number; " + help);
}

bool CsvTable::may_be_units() const {
  for (int column = 0; column < static_cast<int>(columns_.required.size()); ++column) {
    double value = 0;
    const std::string_view word = trimmed(text(column));
    if (word.empty() || parse(word, value) != Parse::malformed) return false;
  }
  return rows_ == 1;
}

double CsvTable::number_or(int column, double fallback) const {
  return has(column) && !trimmed(text(column)).empty() ? number(column) : fallback;
}

bool CsvTable::is_missing(int column) const {
  const std::string_view field = trimmed(text(column));
  double value = 0;
  return field.empty() || (parse_number(field, value) == Parse::ok && std::isnan(value));
}

std::int64_t CsvTable::integer_or(int column, std::int64_t fallback) const {
  if (!has(column) || trimmed(text(column)).empty()) return fallback;
  std::int64_t value = 0;
  if (parse_integer(trimmed(text(column)), value) == Parse::ok) return value;
  refuse(column, "is not an integer; write an id, or leave it empty or -1 for none");
}

double CsvTable::time(int column, const std::optional<Instant>& epoch) {
  const std::string_view date = label(column);
  if (!looks_like_date(date)) return number(column);
  if (!epoch) refuse(column, "is a date; give the scene an \"epoch\", the date of time 0");
  try {
    const Instant instant = parse_date(date);
    if (!leap_seconds_are_known(instant) && !std::exchange(warned_of_dates_, true))
      warnings_.push_back(name() + ": " + leap_seconds_note());
    return seconds_between(*epoch, instant);
  } catch (const Error& error) {
    refuse(column, "is no date: " + std::string(error.reason()));
  }
}

std::string_view CsvTable::kept(std::size_t number) const {
  const std::string_view field = records_.fields()[static_cast<std::size_t>(field_of_kept_[number])];
  if (find_bad_utf8(field) != std::string_view::npos)
    refuse_kept(number, "is not UTF-8; convert the file (iconv -f LATIN1 -t UTF-8)");
  return field;
}

std::string_view CsvTable::kept_number(std::size_t number) const {
  const std::string_view field = kept(number), text = trimmed(field);
  double value = 0;
  std::int64_t integer = 0;
  if (text.empty()) return text;
  if (parse_number(text, value) != Parse::ok)
    refuse_kept(number, "is not a number, and NPY holds numbers alone; keep it in csv or jsonl");
  if (parse_integer(text, integer) == Parse::ok && !to_integer(value, integer))
    refuse_kept(number, "is too long for a number in NPY; keep it in csv or jsonl");
  return field;
}

void CsvTable::refuse_kept(std::size_t number, const std::string& what) const {
  const std::string_view field = records_.fields()[static_cast<std::size_t>(field_of_kept_[number])];
  fail(name(), line(),
       Error(ErrorCode::bad_file, "column " + shown(columns_.kept[number]), shown(field) + ' ' + what));
}

void CsvTable::refuse(int column, const std::string& what) const {
  const std::string_view title = columns_[static_cast<std::size_t>(column)];
  fail(name(), line(),
       Error(ErrorCode::bad_file, "column " + shown(title), shown(text(column)) + ' ' + what));
}

}  // namespace sphaera::io
