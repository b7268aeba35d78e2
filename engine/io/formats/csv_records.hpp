#pragma once
/// \file CSV input: records of RFC 4180, also with other separators, and what may stand before the first.

#include <cstdint>
#include <io/streams/byte_reader.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// A separator of fields; this one stands for any number of blanks and tabs.
inline constexpr char blanks = ' ';

/// The fields of one record. Quoted fields may contain separators, newlines and doubled quotes.
class CsvFields {
 public:
  /// Divides a record, whose quotes are removed in place. Returns what is wrong with it; null: nothing.
  const char* divide(std::span<char> record, char separator);

  /// Views of the record.
  std::span<const std::string_view> fields() const { return fields_; }
  bool quoted(std::size_t field) const { return field < quoted_.size() && quoted_[field]; }

 private:
  void divide_plain(char* begin, char* end, char separator);
  void divide_at_blanks(char* begin, char* end);
  const char* divide_quoted(char* begin, char* end, char separator);

  std::vector<std::string_view> fields_;
  std::vector<bool> quoted_;  // of each field; empty: the record has no quotes
};

/// Reads records one by one. Accepts a byte-order mark, UTF-16, CRLF, blank lines and a missing last newline.
class CsvRecords {
 public:
  explicit CsvRecords(ByteSource& source);

  /// What comes before the rows.
  struct Header {
    std::string record;     ///< the first one that is no comment, undivided
    std::string comment;    ///< the last line before it that begins with # or //, without these
    char separator = '\0';  ///< named by a line "sep=;" at the beginning; 0: by none
  };
  /// Reads the header; empty if there is no record. Call it before `next`, or never.
  std::optional<Header> header();
  /// `next` returns the header's record, too.
  void repeat_header() { repeats_ = true; }
  void separate_by(char separator) { separator_ = separator; }  ///< a comma otherwise

  bool next();  ///< false at the end
  /// A fault of `next` lies within a whole record, so that the next record may be good.
  bool in_record() const { return in_record_; }
  /// Valid until the next call of `next`.
  std::span<const std::string_view> fields() const { return fields_.fields(); }
  bool quoted(std::size_t field) const { return fields_.quoted(field); }  ///< the field was in quotes
  std::uint64_t line() const { return line_; }                            ///< where the record starts, from 1
  const std::string& name() const { return source_->name(); }
  /// Fraction of the file's bytes in the records that `next` has returned, 0 … 1. Empty if unknown.
  std::optional<double> fraction() const;
  bool ends_inside_line() const { return ends_inside_line_; }  ///< the record read last has no newline
  /// Up to 512 bytes at the beginning, until the first call of `next`.
  std::string_view beginning() const { return {buffer_.data() + begin_, beginning_}; }

 private:
  bool find();
  std::string_view find_record();
  bool fill();

  std::unique_ptr<ByteSource> decoded_;  // of a file in UTF-16
  ByteSource* source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // bytes read but not yet consumed
  std::size_t beginning_ = 0;
  std::uint64_t read_ = 0;
  bool at_end_ = false, ends_inside_line_ = false, repeats_ = false, in_record_ = false;
  std::uint64_t line_ = 0, next_line_ = 1;
  char separator_ = ',';
  std::string_view record_;
  CsvFields fields_;
};

}  // namespace sphaera::io
