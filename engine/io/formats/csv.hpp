#pragma once
/// \file CSV input: tables with a header that names the columns.

#include <cstdint>
#include <io/formats/csv_header.hpp>
#include <io/formats/csv_records.hpp>
#include <io/formats/dates.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/byte_reader.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sphaera::io {

/// Reads the rows below a header. Each row has as many fields as the header.
class CsvTable {
 public:
  /// Reads the header. Throws Error bad_file if a required column is missing or a known column appears twice.
  CsvTable(ByteSource& source, const CsvColumns& columns, const CsvOptions& options = {});

  bool has(int column) const { return field_of_column_[static_cast<std::size_t>(column)] >= 0; }
  /// Warnings since the last call: guessed and unknown columns and, once `next` has returned false, a last
  /// line without a newline.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

  bool next();                                          ///< the next row; false at the end
  bool in_row() const { return records_.in_record(); }  ///< see CsvRecords::in_record
  std::uint64_t line() const { return records_.line(); }
  std::optional<double> fraction() const { return records_.fraction(); }
  const std::string& name() const { return records_.name(); }
  const std::vector<std::string>& titles() const { return titles_; }  ///< of all columns

  /// A field that is a name. Blanks at its ends are removed unless the field is in quotes. Throws bad_file
  /// unless it is UTF-8.
  std::string_view label(int column) const;
  double number(int column) const;  ///< throws bad_file naming line and column
  double number_or(int column,
                   double fallback) const;  ///< the fallback if the column is absent or the field is empty
  std::int64_t integer_or(int column, std::int64_t fallback) const;
  /// A number, or a date as seconds since the epoch; throws bad_file for a date without an epoch. Warns of
  /// dates whose leap seconds are unknown.
  double time(int column, const std::optional<Instant>& epoch);
  bool is_missing(int column) const;  ///< the field is empty or the word nan
  /// Field `number` of CsvColumns::kept, as it is. Throws bad_file unless it is UTF-8.
  std::string_view kept(std::size_t number) const;
  /// The same, but throws bad_file unless it is empty, or a number without an integer that a double rounds.
  std::string_view kept_number(std::size_t number) const;
  /// Throws bad_file naming line, column and field: "… column 'on': 'Mars' WHAT".
  [[noreturn]] void refuse(int column, const std::string& what) const;

 private:
  std::string_view text(int column) const;
  Parse parse(std::string_view text, double& value) const;
  void find_columns(const CsvOptions& options);
  [[noreturn, gnu::cold]] void refuse_number(int column, Parse parsed) const;
  bool may_be_units() const;  ///< the first row has words in all required columns
  [[noreturn]] void refuse_kept(std::size_t number, const std::string& what) const;
  [[noreturn]] void refuse_header(const CsvHeader& header, std::span<const std::string_view> fields,
                                  const CsvOptions& options) const;

  CsvRecords records_;
  CsvColumns columns_;
  std::vector<std::string> kept_;  // names
  char separator_ = ',';
  std::vector<int> field_of_column_;  // field position of each known column; −1: absent
  std::vector<int> field_of_kept_;
  std::vector<std::string> titles_;
  std::vector<std::string> warnings_;
  std::uint64_t rows_ = 0;
  bool ended_ = false, warned_of_dates_ = false;
};

}  // namespace sphaera::io
