#pragma once
/// \file Which fields of a CSV header are the columns that a reader knows.

#include <io/formats/csv_records.hpp>
#include <span>
#include <sphaera/scene_file.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// Required and optional columns of a table. A column's number is its position in `required` followed by
/// `optional`.
struct CsvColumns {
  std::span<const std::string_view> required;
  std::span<const std::string_view> optional;
  std::string_view without_last{};      ///< advice if the last required column is missing
  std::string_view if_empty{};          ///< advice if a field that must be a number is empty
  std::span<const std::string> kept{};  ///< names of further columns, which may be known ones, too
  std::size_t exact = 0;                ///< so many of the last columns are never guessed
  /// Columns of no other file: if options rename them, they must be there by that name.
  std::span<const std::string_view> own{};
  bool is_renamed = true;  ///< do options rename columns of the file, and leave out bad rows?

  std::size_t size() const { return required.size() + optional.size(); }
  std::string_view operator[](std::size_t number) const {
    return number < required.size() ? required[number] : optional[number - required.size()];
  }
};

/// The columns found in the fields of a header. A field is a column if CsvOptions::columns says so, else if
/// it has the column's name. For a column that is then missing a name is guessed: without regard to case,
/// units in brackets, blanks, `_`, `-` and `.`, also by usual other names, such as pos_x for x.
struct CsvHeader {
  CsvHeader(std::span<const std::string_view> fields, const CsvColumns& columns, const CsvOptions& options);

  std::size_t missing() const;  ///< number of required columns that are missing
  /// "FILE: columns taken: …", "FILE: columns ignored: …".
  std::vector<std::string> warnings(const std::string& file) const;

  std::vector<int> field_of_column;  ///< −1: absent
  std::vector<int> field_of_kept;
  std::vector<std::string> guesses;  ///< sentences' parts: "'pos_x' as 'x'"
  std::vector<std::string> ignored;  ///< fields that are no column
  std::string fault;                 ///< empty: none

 private:
  void take(std::size_t column, std::size_t field);
  void guess(std::span<const std::string_view> fields);
  void compare_units(std::span<const std::string_view> fields);
  void find_kept(std::span<const std::string_view> fields);

  CsvColumns columns_;
  std::vector<bool> taken_;     // of each field
  std::vector<bool> is_fixed_;  // of each column: options name it, and it is of no other file
};

/// The names of a header without blanks at their ends.
std::vector<std::string> titles_of(std::span<const std::string_view> fields);

/// What is wrong if there is no column of a name that is to be kept.
std::string missing_kept(std::string_view name, std::span<const std::string_view> fields);
/// What is wrong if the options rename a column to one that is not there; empty if they do not rename it.
std::string missing_renamed(std::string_view column, std::span<const std::string_view> fields,
                            const CsvOptions& options);

/// Chooses the separator of a header, unless it is known, by the columns that it would give, and divides the
/// header. Returns what is wrong with the header; null: nothing.
const char* divide_header(std::string& record, const CsvColumns& columns, const CsvOptions& options,
                          char& separator, CsvFields& fields);

/// ", ", "blanks", "tabs": for messages.
std::string separator_name(char separator);

}  // namespace sphaera::io
