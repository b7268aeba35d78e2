#include <algorithm>
#include <cstring>
#include <io/formats/csv.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/printable.hpp>

namespace sphaera::io {
namespace {

// Records of ordinary tables are far shorter. The limit prevents a file without newlines, or with an open
// quote, from filling the memory.
constexpr std::size_t longest_record = std::size_t{1} << 20;

bool is_blank(std::string_view record) { return trimmed(record).empty(); }

}  // namespace

CsvRecords::CsvRecords(ByteSource& source) : source_(source), buffer_(source.chunk_size()) {
  while (end_ < 3 && fill()) {
  }
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (std::string_view(buffer_.data(), end_).starts_with(byte_order_mark)) begin_ = byte_order_mark.size();
}

/// Reads more bytes behind the unconsumed ones, which move to the front or into a larger buffer. Returns
/// false at the end.
bool CsvRecords::fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (end_ >= longest_record) {
      fail(name(), next_line_,
           "this record is longer than 1 MiB; is a closing quote missing, or is this not a CSV file?");
    }
    buffer_.resize(2 * buffer_.size());
  }
  const std::size_t n = source_.read(std::span(buffer_).subspan(end_));
  end_ += n;
  read_ += n;
  at_end_ = n == 0;
  return n > 0;
}

std::optional<double> CsvRecords::fraction() const { return fraction_taken(source_, end_ - begin_, read_); }

/// Returns the bytes up to a newline outside quotes (exclusive) or the end of the file, and consumes them.
std::string_view CsvRecords::find_record() {
  std::size_t scanned = 0;  // relative to begin_, which fill() moves
  bool in_quotes = false;
  std::uint64_t newlines = 0;
  line_ = next_line_;
  for (;;) {
    const char* from = buffer_.data() + begin_ + scanned;
    const char* end = buffer_.data() + end_;
    const char* newline =
        static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end - from)));
    const char* stop = newline ? newline : end;
    if (std::memchr(from, '"', static_cast<std::size_t>(stop - from))) {
      in_quotes ^= std::count(from, stop, '"') % 2 != 0;
    }
    scanned = static_cast<std::size_t>(stop - buffer_.data()) - begin_;
    if (newline) {
      ++scanned;
      ++newlines;
      if (in_quotes) continue;
    } else if (fill()) {
      continue;
    } else if (in_quotes) {
      fail(name(), line_,
           "a quote opens in this record and never closes; close it, or double quotes inside quotes");
    }
    next_line_ += newlines;
    ends_inside_line_ = !newline;
    const std::string_view record(buffer_.data() + begin_, scanned - (newline ? 1 : 0));
    begin_ += scanned;
    return record;
  }
}

bool CsvRecords::next() {
  for (;;) {
    if (begin_ == end_ && !fill()) return false;
    std::string_view record = find_record();
    if (record.ends_with('\r')) record.remove_suffix(1);
    if (is_blank(record)) continue;
    fields_.clear();
    quoted_.clear();
    char* begin = buffer_.data() + (record.data() - buffer_.data());
    if (record.find('"') == std::string_view::npos) {
      split(begin, begin + record.size());
    } else {
      split_quoted(begin, begin + record.size());
    }
    return true;
  }
}

void CsvRecords::split(char* begin, char* end) {
  for (;;) {
    char* comma = static_cast<char*>(std::memchr(begin, ',', static_cast<std::size_t>(end - begin)));
    char* stop = comma ? comma : end;
    fields_.emplace_back(begin, static_cast<std::size_t>(stop - begin));
    if (!comma) return;
    begin = comma + 1;
  }
}

/// Removes quotes in place; a field never grows.
void CsvRecords::split_quoted(char* in, char* end) {
  for (;;) {
    char* start = in;
    char* out = in;
    quoted_.push_back(in < end && *in == '"');
    if (quoted_.back()) {
      ++in;
      for (; in < end && (*in != '"' || (in + 1 < end && in[1] == '"')); ++in) {
        if (*in == '"') ++in;
        *out++ = *in;
      }
      if (in < end) ++in;
      if (in < end && *in != ',')
        fail(name(), line_, "text follows a closing quote; double quotes inside quotes");
    } else {
      while (in < end && *in != ',' && *in != '"') ++in;
      if (in < end && *in == '"') {
        fail(name(), line_, "a quote inside a field that does not start with one; quote the whole field");
      }
      out = in;
    }
    fields_.emplace_back(start, static_cast<std::size_t>(out - start));
    if (in == end) return;
    ++in;
  }
}

CsvTable::CsvTable(ByteSource& source, const CsvColumns& columns)
    : records_(source),
      columns_(columns),
      field_of_column_(columns.required.size() + columns.optional.size(), -1) {
  if (!records_.next()) {
    fail(name(), 1, "the file is empty; its first line must be a header with " + listed(columns.required));
  }
  const auto number_of = [&](std::string_view field) {
    const auto required = std::find(columns.required.begin(), columns.required.end(), field);
    if (required != columns.required.end()) return required - columns.required.begin();
    return std::find(columns.optional.begin(), columns.optional.end(), field) - columns.optional.begin() +
           static_cast<std::ptrdiff_t>(columns.required.size());
  };
  std::vector<std::string> ignored;
  for (const std::string_view field : records_.fields()) {
    const std::string_view column = trimmed(field);
    const auto number = static_cast<std::size_t>(number_of(column));
    if (number == field_of_column_.size()) {
      ignored.emplace_back(shown(column));
    } else if (field_of_column_[number] >= 0) {
      fail(name(), line(), "column " + shown(column) + " comes twice; remove one of them");
    } else {
      field_of_column_[number] = static_cast<int>(width_);
    }
    ++width_;
  }
  for (std::size_t i = 0; i < columns.required.size(); ++i) {
    if (field_of_column_[i] >= 0) continue;
    fail(name(), line(),
         "column " + shown(columns.required[i]) + " is missing; the header needs " +
             listed(columns.required) + " (names are case-sensitive)");
  }
  warn(ignored);
}

void CsvTable::warn(const std::vector<std::string>& ignored) {
  constexpr std::size_t most = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(most, ignored.size()); ++i) names += (i ? ", " : "") + ignored[i];
  if (ignored.size() > most) names += " and " + std::to_string(ignored.size() - most) + " more";
  if (!names.empty()) warnings_.push_back(name() + ": columns ignored: " + names);
}

bool CsvTable::next() {
  if (!records_.next()) {
    if (records_.ends_inside_line() && !std::exchange(ended_, true))
      warnings_.push_back(last_line_warning(name()));
    return false;
  }
  if (records_.fields().size() != width_) {
    fail(name(), line(),
         "the row has " + std::to_string(records_.fields().size()) + " fields, the header " +
             std::to_string(width_) + "; is the file cut short, or a comma not quoted?");
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

double CsvTable::number(int column) const {
  double value = 0;
  switch (parse_number(trimmed(text(column)), value)) {
    case Parse::ok:
      return value;
    case Parse::out_of_range:
      refuse(column, "is beyond the range of a double");
    case Parse::malformed:
      break;
  }
  refuse(column, "is not a number; write digits with a point, or inf, -inf, nan");
}

double CsvTable::number_or(int column, double fallback) const {
  return has(column) && !trimmed(text(column)).empty() ? number(column) : fallback;
}

std::int64_t CsvTable::integer_or(int column, std::int64_t fallback) const {
  if (!has(column) || trimmed(text(column)).empty()) return fallback;
  std::int64_t value = 0;
  if (parse_integer(trimmed(text(column)), value) == Parse::ok) return value;
  refuse(column, "is not an integer; write an id, or leave it empty or -1 for none");
}

void CsvTable::refuse(int column, const std::string& what) const {
  const auto c = static_cast<std::size_t>(column);
  const std::size_t required = columns_.required.size();
  const std::string_view title = c < required ? columns_.required[c] : columns_.optional[c - required];
  fail(name(), line(),
       Error(ErrorCode::bad_file, "column " + shown(title), shown(text(column)) + ' ' + what));
}

}  // namespace sphaera::io
