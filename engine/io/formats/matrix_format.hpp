#pragma once
/// \file How a table of numbers is written, piece by piece.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sphaera::io {

struct MatrixFormat {
  /// What stands before the rows.
  std::string (*header)(std::span<const std::string_view> columns, std::uint64_t rows);
  /// Appends rows: `numbers` are those of whole rows, one row after another.
  void (*append)(std::string& bytes, std::span<const double> numbers, std::size_t columns);
};

// clang-format off
std::string csv_matrix_header(std::span<const std::string_view> columns, std::uint64_t rows);  // csv_text.cpp
void append_csv_rows(std::string& bytes, std::span<const double> numbers, std::size_t columns);
std::string npy_matrix_header(std::span<const std::string_view> columns, std::uint64_t rows);  // npy.cpp
void append_npy_rows(std::string& bytes, std::span<const double> numbers, std::size_t columns);
// clang-format on

inline constexpr MatrixFormat csv_matrix{csv_matrix_header, append_csv_rows};
inline constexpr MatrixFormat npy_matrix{npy_matrix_header, append_npy_rows};

}  // namespace sphaera::io
