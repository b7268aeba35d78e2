#pragma once
/// \file NPY (numpy's format versions 1 to 3): reads matrices of numbers, and makes headers for output.

#include <cstdint>
#include <io/streams/byte_reader.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// Type of an array's elements: numpy's kind (f, i, u or b), and the size in bytes.
struct NpyType {
  char kind = 'f';
  std::size_t size = 8;
  bool is_big_endian = false;

  bool is_double() const { return kind == 'f' && size == 8 && !is_big_endian; }
};

struct NpyHeader;  // npy.cpp

/// A field of a structured array, or a column of a matrix.
struct NpyField {
  std::string name{};             ///< empty in a matrix; NAME_x of a vector
  std::optional<NpyType> type{};  ///< empty: it is no number
  std::size_t offset = 0;         ///< in the bytes of a row
};

/// Reads the rows of an N×M matrix, or chosen fields of a structured array, one by one, as doubles: float64,
/// float32, integers and bool of either byte order, a matrix in C or Fortran order. At most 64 columns, rows
/// of 1 MiB and a header of 64 KiB. The header is checked against the file: too few or too many bytes are an
/// error. At most 1 MiB is reserved for rows before their bytes are there; a matrix in Fortran order is held
/// whole.
class NpyRows {
 public:
  /// Reads the header. Throws Error bad_file, cancelled.
  explicit NpyRows(ByteSource& source);

  /// Row count of the header, checked against the length of a plain file.
  std::uint64_t rows() const { return rows_; }
  /// Columns of the matrix, or number of the fields that were chosen.
  std::size_t columns() const { return columns_.size(); }
  /// Names of the fields of a structured array; empty: it is a matrix. Call `choose` before `next` then.
  std::vector<std::string_view> field_names() const;
  /// Makes the fields of these positions the columns, in this order. Throws Error bad_file for a field that
  /// is no number.
  void choose(std::span<const std::size_t> fields);
  bool is_integer(std::size_t column) const { return columns_[column].type->kind != 'f'; }
  /// Number of the current row, from 1; 0 before the first next(). Used as the line in messages.
  std::uint64_t row() const { return row_; }
  const std::string& name() const { return source_.name(); }

  /// Returns the next row, valid until the next call, or null at the end. Throws Error bad_file, cancelled.
  const double* next();

 private:
  void read_header();
  void take_matrix(const NpyHeader& header);
  void take_fields(NpyHeader& header);
  void check_length() const;
  void fill();
  void fill_by_columns();
  double value(const char* bytes, const NpyType& type) const;
  std::string shape_text() const;
  [[noreturn]] void fail_cut_short(std::uint64_t whole_rows) const;
  [[noreturn]] void fail_too_long(const std::string& what_follows) const;

  ByteSource& source_;
  std::uint64_t rows_ = 0, row_ = 0;
  std::vector<NpyField> fields_;  // of a structured array
  std::vector<NpyField> columns_;
  std::size_t row_bytes_ = 0;
  bool fortran_order_ = false, holds_doubles_ = false;
  std::vector<double> buffer_;  // holds whole rows
  std::vector<char> raw_;       // their bytes, unless these are doubles
  // In doubles: where the next row begins in the buffer, and how many are in it.
  std::size_t next_ = 0, buffered_ = 0;
};

/// An NPY header with the type `descr` (as Python source) and the shape (rows, columns), or (rows,) if
/// columns = 0. It is padded for the largest number of rows, so the header with the final count can overwrite
/// a preliminary one.
std::string npy_header(std::string_view descr, std::uint64_t rows, std::size_t columns = 0);

}  // namespace sphaera::io
