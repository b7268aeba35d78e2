#pragma once
/// \file Result tables with typed columns, as CSV, JSON Lines or NPY.
///
/// Any thread formats rows into blocks; the blocks are written in order:
///   TableWriter table({}, TableFormat::csv, {Column::integer("ray"), Column::flag("blocked")});
///   TableRows rows = table.rows();
///   rows.integer(7).flag(true).end_row();
///   table.write(rows);
///   table.commit();
///
/// | column  | CSV                       | JSON Lines                     | NPY               | empty |
/// | integer | digits                    | number                         | <i8               | −1    |
/// | number  | shortest that reads back  | the same; infinities "inf", "-inf" | <f8           | NaN   |
/// | flag    | 0 or 1                    | 0 or 1                         | |u1               | 0     |
/// | word    | the word                  | string                         | |u1, its position | 0     |
/// | text    | as is, quoted if needed   | string                         | not possible      |       |
/// | sphere  | digits: an id             | number                         | <i8               | −1    |
/// | sphere_name: the name of the sphere in the column before, as a text, written with it |
/// | kept: a field of the query file, as a text, in NPY as a number; written at the end of each row |
/// The last column is the NPY value of an empty cell; in CSV an empty cell has no characters (two quotes
/// where it is the only one of a row: readers skip blank lines), in JSON Lines it is null. A NaN counts as an
/// empty number.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <io/streams/output.hpp>
#include <memory>
#include <optional>
#include <sphaera/scene_file.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::files {

class TableSums;

enum class TableFormat : std::uint8_t { csv, jsonl, npy };
/// Their names, for `--format` and as extensions, in the order of TableFormat.
inline constexpr std::array<std::string_view, 3> table_formats{"csv", "jsonl", "npy"};
constexpr std::string_view name_of(TableFormat format) {
  return table_formats[static_cast<std::size_t>(format)];
}

struct Column {
  enum class Kind : std::uint8_t { integer, number, flag, word, text, sphere, sphere_name, kept };
  std::string name;
  Kind kind;
  std::vector<std::string> words{};  ///< for `word`: the words by value

  static Column integer(std::string name) { return {std::move(name), Kind::integer}; }
  static Column number(std::string name) { return {std::move(name), Kind::number}; }
  static Column flag(std::string name) { return {std::move(name), Kind::flag}; }
  static Column word(std::string name, std::vector<std::string> words) {
    return {std::move(name), Kind::word, std::move(words)};
  }
  static Column text(std::string name) { return {std::move(name), Kind::text}; }
  static Column sphere(std::string name) { return {std::move(name), Kind::sphere}; }
  static Column sphere_name(std::string name) { return {std::move(name), Kind::sphere_name}; }
  static Column kept(std::string name) { return {std::move(name), Kind::kept}; }
};

/// Bytes of a row of an NPY result whose header has this layout, "[('ray', '<i8'), …]".
std::size_t npy_row_size(std::string_view layout);

/// A block of rows under construction. Cells must come in the order of the columns as given, and have the
/// column's kind; otherwise Error internal. Of a table that shows chosen columns the other cells are left
/// out.
class TableRows {
 public:
  TableRows& integer(std::int64_t value);
  TableRows& number(double value);
  TableRows& flag(bool value);
  TableRows& word(std::uint8_t value);
  TableRows& text(std::string_view value);
  TableRows& sphere(std::int64_t id);  ///< −1: none
  TableRows& empty();
  void end_row();
  /// The kept cells of the rows that follow are fields[first], fields[first + 1], …, whose container must
  /// live as long. They are empty until this is called.
  void keep(const Names& fields, std::size_t first) { kept_ = &fields, first_kept_ = first; }
  /// Calls full(*this) after each row that brings the block to `bytes` bytes or more.
  void when_full(std::size_t bytes, std::function<void(TableRows&)> full);

  std::uint64_t size() const { return rows_; }       ///< rows completed since the last clear
  std::string_view bytes() const { return bytes_; }  ///< the rows as they will be written
  void clear();                                      ///< keeps the memory
  TableRows take();                                  ///< moves these rows to a new block

 private:
  friend class TableWriter;
  struct Layout;
  explicit TableRows(std::shared_ptr<const Layout> layout);
  const Column* begin_cell(Column::Kind kind);
  bool next_cell();
  void arrange_row();
  void integer_cell(std::int64_t value);
  void name_sphere(std::int64_t id);
  void kept_cells();
  void kept_cell(std::string_view text);

  std::shared_ptr<const Layout> layout_;
  std::string bytes_;
  std::size_t column_ = 0, row_begin_ = 0;
  std::vector<std::size_t> cells_;  // where each cell of the row begins, if they are arranged
  std::string row_;                 // the cells as given, while they are arranged
  const Names* kept_ = nullptr;
  std::size_t first_kept_ = 0;
  std::uint64_t rows_ = 0;
  std::size_t max_bytes_ = SIZE_MAX;
  std::function<void(TableRows&)> full_;
};

class TableWriter {
 public:
  /// `target` as for Output: empty is standard output. `shown` are the columns that the result has, by their
  /// positions in `columns`, each once; empty: all. Throws Error: io; invalid_argument for a text column in
  /// NPY.
  TableWriter(const std::filesystem::path& target, TableFormat format, std::vector<Column> columns,
              std::vector<std::size_t> shown = {});
  /// The result has sums of the rows, whose columns are these, with `shown` of the columns of the sums.
  TableWriter(const std::filesystem::path& target, TableFormat format, std::vector<Column> columns,
              TableSums sums, std::vector<std::size_t> shown);
  ~TableWriter();
  TableWriter(TableWriter&&) noexcept;
  TableWriter& operator=(TableWriter&&) noexcept;

  TableRows rows() const;        ///< an empty block
  TableRows whole_rows() const;  ///< a block of rows with all columns, which is not for `write`
  /// The names of the spheres by id, for sphere_name; null or empty: none has a name.
  void name_spheres(const Names* names);
  /// The first kept column of the rows that follow is this number, the second perhaps a date; the others are
  /// those of TableRows::keep.
  void set_time(std::string number, std::optional<std::string> date);
  void write(const TableRows& rows);  ///< throws Error io
  void flush();                       ///< writes the buffered bytes
  /// Writes the remaining bytes, and the header of an empty table. Afterwards only `digest` and `commit` may
  /// be called on the output.
  io::Output& finish();
  void commit();  ///< calls `finish` and gives the file its name

 private:
  void write_header();

  void write_rows(const TableRows& rows);

  std::shared_ptr<TableRows::Layout> layout_, whole_;
  std::shared_ptr<TableRows::Layout> result_;  // that of the file: `layout_`, or that of the sums
  std::unique_ptr<TableSums> sums_;
  std::string header_;  // not yet written
  io::Output output_;
  std::uint64_t rows_ = 0;
};

}  // namespace sphaera::files
