#include <algorithm>
#include <cstring>
#include <io/formats/csv.hpp>
#include <io/formats/csv_text.hpp>
#include <io/formats/npy.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/file_error.hpp>
#include <tools/shards/result_part.hpp>
#include <utility>
#include <vector>

namespace sphaera::tool {
namespace {

constexpr const char* cut_short = "the file is cut short; write this part again";
constexpr std::size_t longest_line = std::size_t{1} << 20;  // the limit of records in CSV
constexpr const char* foreign = "this is not a result of sphaera in this format; check --format";
constexpr std::int64_t unknown = -1;  // the number of a row's query

std::int64_t query_number(std::string_view text, const std::string& name, std::uint64_t line) {
  std::int64_t number = 0;
  if (io::parse_integer(text, number) != io::Parse::ok || number < 0) {
    io::fail(name, line, io::shown(text) + " is not a query number; " + foreign);
  }
  return number;
}

class CsvPart : public ResultPart {
 public:
  CsvPart(io::ByteSource& source, FirstColumn first) : source_(source), records_(source_), first_(first) {
    if (!read()) io::fail(source_.name(), 1, "the file is empty; a result has a header at least");
    layout_ = row_;
    width_ = records_.fields().size();
  }

  std::string_view layout() const override { return layout_; }
  bool next() override {
    if (!read()) {
      if (records_.ends_inside_line()) io::fail(source_.name(), records_.line(), cut_short);
      return false;
    }
    if (records_.fields().size() != width_) io::fail(source_.name(), records_.line(), cut_short);
    if (first_ == FirstColumn::query_number)
      query_ = query_number(records_.fields()[0], source_.name(), records_.line());
    return true;
  }
  std::string_view row() const override { return row_; }
  std::int64_t query() const override { return query_; }
  std::uint64_t line() const override { return records_.line(); }

 private:
  bool read() {
    if (!records_.next()) return false;
    row_.clear();
    const char* between = "";
    for (const std::string_view field : records_.fields())
      io::append_csv(row_ += std::exchange(between, ","), field);
    row_ += row_.empty() ? "\"\"\n" : "\n";  // as TableRows writes a lone empty cell
    return true;
  }

  io::ByteSource& source_;
  io::CsvRecords records_;
  FirstColumn first_;
  std::string layout_, row_;
  std::size_t width_ = 0;
  std::int64_t query_ = unknown;
};

class JsonLinesPart : public ResultPart {
 public:
  JsonLinesPart(io::ByteSource& source, FirstColumn first) : source_(source), first_(first), waits_(read()) {
    if (!waits_) return;
    const std::size_t colon = row_.find(':');
    if (!row_.starts_with("{\"") || colon == std::string::npos) io::fail(source_.name(), 1, foreign);
    layout_ = row_.substr(0, colon + 1);
  }

  std::string_view layout() const override { return layout_; }
  bool next() override {
    if (!waits_ && !read()) return false;
    waits_ = false;
    if (!row_.starts_with(layout_) || !row_.ends_with("}\n")) io::fail(source_.name(), line_, foreign);
    if (first_ == FirstColumn::any) return true;
    const std::size_t begin = layout_.size(), comma = row_.find(',', begin);
    if (comma == std::string::npos) io::fail(source_.name(), line_, foreign);
    query_ = query_number(std::string_view(row_).substr(begin, comma - begin), source_.name(), line_);
    return true;
  }
  std::string_view row() const override { return row_; }
  std::int64_t query() const override { return query_; }
  std::uint64_t line() const override { return line_; }

 private:
  /// The next line with its newline.
  bool read() {
    ++line_;
    row_.clear();
    for (;;) {
      const auto rest = std::string_view(buffer_).substr(at_);
      const std::size_t newline = rest.find('\n');
      row_ += rest.substr(0, newline == std::string_view::npos ? newline : newline + 1);
      at_ += newline == std::string_view::npos ? rest.size() : newline + 1;
      if (newline != std::string_view::npos) return true;
      if (row_.size() > longest_line)
        io::fail(source_.name(), line_, std::string("its line is longer than 1 MiB; ") + foreign);
      buffer_.resize(std::size_t{1} << 18);
      buffer_.resize(source_.read(buffer_));
      at_ = 0;
      if (!buffer_.empty()) continue;
      if (!row_.empty()) io::fail(source_.name(), line_, cut_short);
      return false;
    }
  }

  io::ByteSource& source_;
  FirstColumn first_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 0;
  std::string row_, layout_;
  bool waits_;  // row_ holds the first line, read for the layout; `next` has not returned it yet
  std::int64_t query_ = unknown;
};

/// Reads what io::npy_header writes, and nothing else.
class NpyPart : public ResultPart {
 public:
  NpyPart(io::ByteSource& source, FirstColumn first) : source_(source), first_(first) {
    std::string header = io::npy_header({}, 0);  // the shortest; its length field lies at 8
    take(header);
    std::uint16_t length = 0;
    std::memcpy(&length, header.data() + length_offset, sizeof length);
    const std::size_t whole = length_offset + sizeof length + length;
    if (whole < header.size()) io::fail(source_.name(), foreign);
    std::string rest(whole - header.size(), '\0');
    take(rest);
    header += rest;
    layout_ = between(header, "'descr': ", ", 'fortran_order'");
    std::int64_t rows = -1;
    if (io::parse_integer(between(header, "'shape': (", ","), rows) != io::Parse::ok || rows < 0 ||
        !layout_.starts_with('[') || header != io::npy_header(layout_, static_cast<std::uint64_t>(rows))) {
      io::fail(source_.name(), foreign);
    }
    rows_ = static_cast<std::uint64_t>(rows);
    row_.resize(row_size());
  }

  std::string_view layout() const override { return layout_; }
  bool next() override {
    if (at_ == rows_) {
      if (begin_ < end_ || source_.read(buffer_) > 0)
        io::fail(source_.name(), "the file has more rows than its header says; write this part again");
      return false;
    }
    take(row_);
    ++at_;
    if (first_ == FirstColumn::query_number) std::memcpy(&query_, row_.data(), sizeof query_);
    return true;
  }
  std::string_view row() const override { return row_; }
  std::int64_t query() const override { return query_; }
  std::uint64_t line() const override { return at_; }

 private:
  static constexpr std::size_t length_offset = 8;

  /// Fills `bytes`, through a buffer.
  void take(std::string& bytes) {
    std::size_t have = 0;
    while (have < bytes.size()) {
      if (begin_ == end_) {
        begin_ = 0;
        end_ = source_.read(buffer_);
        if (end_ == 0) io::fail(source_.name(), cut_short);
      }
      const std::size_t n = std::min(bytes.size() - have, end_ - begin_);
      std::memcpy(bytes.data() + have, buffer_.data() + begin_, n);
      have += n;
      begin_ += n;
    }
  }

  static std::string between(const std::string& text, std::string_view before, std::string_view after) {
    const std::size_t begin = text.find(before);
    if (begin == std::string::npos) return {};
    const std::size_t end = text.find(after, begin);
    if (end == std::string::npos) return {};
    return text.substr(begin + before.size(), end - begin - before.size());
  }

  std::size_t row_size() const {
    const std::size_t size = files::npy_row_size(layout_);
    if (size < (first_ == FirstColumn::query_number ? sizeof query_ : 1)) io::fail(source_.name(), foreign);
    return size;
  }

  io::ByteSource& source_;
  FirstColumn first_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 18);
  std::size_t begin_ = 0, end_ = 0;
  std::string layout_, row_;
  std::uint64_t rows_ = 0, at_ = 0;
  std::int64_t query_ = unknown;
};

}  // namespace

std::unique_ptr<ResultPart> open_part(io::ByteSource& source, files::TableFormat format, FirstColumn first) {
  switch (format) {
    case files::TableFormat::csv:
      return std::make_unique<CsvPart>(source, first);
    case files::TableFormat::jsonl:
      return std::make_unique<JsonLinesPart>(source, first);
    case files::TableFormat::npy:
      return std::make_unique<NpyPart>(source, first);
  }
  throw Error(ErrorCode::internal, "an unknown format of results");
}

std::string result_header(std::string_view layout, files::TableFormat format, std::uint64_t rows) {
  switch (format) {
    case files::TableFormat::csv:
      return std::string(layout);
    case files::TableFormat::jsonl:
      return {};
    case files::TableFormat::npy:
      return io::npy_header(layout, rows);
  }
  throw Error(ErrorCode::internal, "an unknown format of results");
}

}  // namespace sphaera::tool
