#pragma once
/// \file CSV input: records of RFC 4180, and tables with a header that names the columns.

#include <cstdint>
#include <io/streams/byte_reader.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sphaera::io {

/// Reads records one by one. Accepts a byte-order mark, CRLF, blank lines and a missing last newline. Quoted
/// fields may contain commas, newlines and doubled quotes.
class CsvRecords {
 public:
  explicit CsvRecords(ByteSource& source);

  bool next();  ///< false at the end
  /// Valid until the next call of `next`.
  std::span<const std::string_view> fields() const { return fields_; }
  std::uint64_t line() const { return line_; }  ///< where the record starts, from 1
  const std::string& name() const { return source_.name(); }
  /// Fraction of the file's bytes in the records that `next` has returned, 0 … 1. Empty if unknown.
  std::optional<double> fraction() const;
  bool ends_inside_line() const { return ends_inside_line_; }  ///< the record read last has no newline
  bool quoted(std::size_t field) const {
    return field < quoted_.size() && quoted_[field];
  }  ///< the field was in quotes

 private:
  std::string_view find_record();
  bool fill();
  void split(char* begin, char* end);
  void split_quoted(char* begin, char* end);

  ByteSource& source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // bytes read but not yet consumed
  std::uint64_t read_ = 0;
  bool at_end_ = false, ends_inside_line_ = false;
  std::uint64_t line_ = 0, next_line_ = 1;
  std::vector<std::string_view> fields_;
  std::vector<bool> quoted_;  // of each field; empty: the record has no quotes
};

/// Required and optional columns of a table. A column's number is its position in `required` followed by
/// `optional`.
struct CsvColumns {
  std::span<const std::string_view> required;
  std::span<const std::string_view> optional;
};

/// Reads the rows below a header. Each row has as many fields as the header.
class CsvTable {
 public:
  /// Reads the header. Throws Error bad_file if a required column is missing or a known column appears twice.
  CsvTable(ByteSource& source, const CsvColumns& columns);

  bool has(int column) const { return field_of_column_[static_cast<std::size_t>(column)] >= 0; }
  /// Warnings since the last call: unknown columns and, once `next` has returned false, a last line without a
  /// newline.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

  bool next();  ///< the next row; false at the end
  std::uint64_t line() const { return records_.line(); }
  std::optional<double> fraction() const { return records_.fraction(); }
  const std::string& name() const { return records_.name(); }

  /// A field that is a name. Blanks at its ends are removed unless the field is in quotes. Throws bad_file
  /// unless it is UTF-8.
  std::string_view label(int column) const;
  double number(int column) const;  ///< throws bad_file naming line and column
  double number_or(int column,
                   double fallback) const;  ///< the fallback if the column is absent or the field is empty
  std::int64_t integer_or(int column, std::int64_t fallback) const;
  /// Throws bad_file naming line, column and field: "… column 'on': 'Mars' WHAT".
  [[noreturn]] void refuse(int column, const std::string& what) const;

 private:
  std::string_view text(int column) const;
  void warn(const std::vector<std::string>& ignored);

  CsvRecords records_;
  CsvColumns columns_;
  std::vector<int> field_of_column_;  // field position of each known column; −1: absent
  std::size_t width_ = 0;
  std::vector<std::string> warnings_;
  bool ended_ = false;
};

}  // namespace sphaera::io
