#pragma once
/// \file NPY: little-endian float64 matrices in C order, in; headers, out. (numpy's format versions 1 to 3.)

#include <cstdint>
#include <io/streams/bytes.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// The rows of an N×M matrix, one after another. What the header promises is checked against the file: too
/// few or too many bytes are an error, and nothing is reserved for rows that are not there.
class NpyRows {
 public:
  /// Reads the header. Throws Error bad_file.
  explicit NpyRows(ByteSource& source);

  std::uint64_t rows() const { return rows_; }  ///< as the header says; a plain file is known to hold them
  std::size_t columns() const { return columns_; }
  std::uint64_t row() const { return row_; }  ///< number of the current row, from 1: the line in messages
  const std::string& name() const { return source_.name(); }

  /// The next row, valid until the next call; null at the end. Throws Error bad_file.
  const double* next();
  void skip(std::uint64_t rows);  ///< at most those left

 private:
  void read_header();
  void check_length() const;
  void fill();
  [[noreturn]] void fail_cut_short(std::uint64_t whole_rows) const;
  [[noreturn]] void fail_too_long(const std::string& what_follows) const;

  ByteSource& source_;
  std::uint64_t rows_ = 0, row_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> buffer_;  // whole rows
  std::size_t at_ = 0, have_ = 0;
};

/// An NPY header of `descr` (as Python source) and a shape of `rows` or rows × `columns`, padded as for the
/// largest number of rows, so that one with the final count can be written over one with none.
std::string npy_header(std::string_view descr, std::uint64_t rows, std::size_t columns = 0);

}  // namespace sphaera::io
