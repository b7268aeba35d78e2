#include <algorithm>
#include <cctype>
#include <cstring>
#include <io/formats/csv_records.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/utf16.hpp>

namespace sphaera::io {
namespace {

// Records of ordinary tables are far shorter. The limit prevents a file without newlines, or with an open
// quote, from filling the memory.
constexpr std::size_t longest_record = std::size_t{1} << 20;

bool is_blank(std::string_view record) { return trimmed(record).empty(); }

/// The separator that a line "sep=;" names; 0 if it is another line.
char named_separator(std::string_view record) {
  if (record.size() != 5 || record[3] != '=') return '\0';
  const auto is = [&](std::size_t at, char letter) { return (record[at] | 0x20) == letter; };
  return is(0, 's') && is(1, 'e') && is(2, 'p') ? record[4] : '\0';
}

/// The text behind # or //; empty if the line is no comment.
std::optional<std::string_view> comment_in(std::string_view record) {
  record = trimmed(record);
  const bool slashes = record.starts_with("//");
  if (!slashes && !record.starts_with('#')) return std::nullopt;
  return trimmed(record.substr(slashes ? 2 : 1));
}

constexpr const char* after_quote = "text follows a closing quote; double quotes inside quotes";
constexpr const char* inner_quote =
    "a quote inside a field that does not start with one; quote the whole field";

/// Removes the quotes of the field that begins at `in`, to `out`. Returns the end of the field in the record.
char* unquote(char* in, char* end, char*& out) {
  ++in;
  for (; in < end && (*in != '"' || (in + 1 < end && in[1] == '"')); ++in) {
    if (*in == '"') ++in;
    *out++ = *in;
  }
  return in < end ? in + 1 : in;
}

}  // namespace

const char* CsvFields::divide(std::span<char> record, char separator) {
  fields_.clear();
  quoted_.clear();
  char *const begin = record.data(), *const end = begin + record.size();
  if (std::memchr(begin, '"', record.size())) return divide_quoted(begin, end, separator);
  if (separator == blanks) {
    divide_at_blanks(begin, end);
  } else {
    divide_plain(begin, end, separator);
  }
  return nullptr;
}

void CsvFields::divide_plain(char* begin, char* end, char separator) {
  for (;;) {
    char* found = static_cast<char*>(std::memchr(begin, separator, static_cast<std::size_t>(end - begin)));
    char* stop = found ? found : end;
    fields_.emplace_back(begin, static_cast<std::size_t>(stop - begin));
    if (!found) return;
    begin = found + 1;
  }
}

void CsvFields::divide_at_blanks(char* begin, char* end) {
  const auto is_separator = [](char c) { return c == ' ' || c == '\t'; };
  while ((begin = std::find_if_not(begin, end, is_separator)) < end) {
    char* const stop = std::find_if(begin, end, is_separator);
    fields_.emplace_back(begin, static_cast<std::size_t>(stop - begin));
    begin = stop;
  }
}

/// Removes quotes in place; a field never grows.
const char* CsvFields::divide_quoted(char* in, char* end, char separator) {
  const auto separates = [&](char c) { return c == separator || (separator == blanks && c == '\t'); };
  for (;;) {
    if (separator == blanks && (in = std::find_if_not(in, end, separates)) == end) return nullptr;
    char *start = in, *out = in;
    quoted_.push_back(in < end && *in == '"');
    if (quoted_.back()) {
      in = unquote(in, end, out);
      if (in < end && !separates(*in)) return after_quote;
    } else {
      while (in < end && !separates(*in) && *in != '"') ++in;
      if (in < end && *in == '"') return inner_quote;
      out = in;
    }
    fields_.emplace_back(start, static_cast<std::size_t>(out - start));
    if (in == end) return nullptr;
    ++in;
  }
}

CsvRecords::CsvRecords(ByteSource& source) : source_(&source), buffer_(source.chunk_size()) {
  const auto starts_with = [&](std::string_view mark) {
    return std::string_view(buffer_.data(), end_).starts_with(mark);
  };
  while (end_ < 3 && fill()) {
  }
  if (starts_with("\xFE\xFF") || starts_with("\xFF\xFE")) {
    decoded_ = utf16_source(source, {buffer_.data(), end_});
    source_ = decoded_.get();
    begin_ = end_ = read_ = 0, at_end_ = false;
    while (end_ < 3 && fill()) {
    }
  }
  if (starts_with("\xEF\xBB\xBF")) begin_ = 3;
  constexpr std::size_t most = 512;
  const auto has_line = [&] {
    return std::find(buffer_.data() + begin_, buffer_.data() + end_, '\n') != buffer_.data() + end_;
  };
  while (end_ - begin_ < most && !has_line() && fill()) {
  }
  beginning_ = std::min(most, end_ - begin_);
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
  const std::size_t n = source_->read(std::span(buffer_).subspan(end_));
  end_ += n;
  read_ += n;
  at_end_ = n == 0;
  return n > 0;
}

std::optional<double> CsvRecords::fraction() const { return fraction_taken(*source_, end_ - begin_, read_); }

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

/// Finds the next record that is not blank; false at the end.
bool CsvRecords::find() {
  do {
    if (begin_ == end_ && !fill()) return false;
    record_ = find_record();
    if (record_.ends_with('\r')) record_.remove_suffix(1);
  } while (is_blank(record_));
  return true;
}

std::optional<CsvRecords::Header> CsvRecords::header() {
  Header header;
  for (bool first = true; find(); first = false) {
    const char separator = first ? named_separator(record_) : '\0';
    if (separator != '\0') {
      header.separator = separator;
    } else if (const std::optional<std::string_view> comment = comment_in(record_)) {
      header.comment = *comment;
    } else {
      header.record = record_;
      return header;
    }
  }
  return std::nullopt;
}

bool CsvRecords::next() {
  in_record_ = false;
  if (repeats_) {
    repeats_ = false;
  } else if (!find()) {
    return false;
  }
  in_record_ = true;
  // The record lies in the buffer.
  char* const begin = buffer_.data() + (record_.data() - buffer_.data());
  if (const char* const fault = fields_.divide({begin, record_.size()}, separator_))
    fail(name(), line_, fault);
  return true;
}

}  // namespace sphaera::io
