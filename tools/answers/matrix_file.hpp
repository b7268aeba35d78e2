#pragma once
/// \file Writes a table of numbers that is too large for memory, piece by piece.

#include <cstdint>
#include <functional>
#include <io/formats/matrix_format.hpp>
#include <io/streams/output.hpp>
#include <span>
#include <stop_token>
#include <string_view>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

struct Matrix {
  std::string_view what;  ///< label for progress
  std::span<const std::string_view> columns{};
  std::uint64_t rows = 0;
  /// Writes rows first, first + 1, … into `numbers`, row by row, until it is full. May be called from any
  /// thread.
  std::function<void(std::uint64_t first, std::span<double> numbers)> fill{};
};

/// Writes all rows to the output; the caller commits it. Throws Error: io, cancelled.
void write_matrix(const Matrix& matrix, const io::MatrixFormat& format, io::Output& output,
                  const Console& console, const std::stop_token& stop);

}  // namespace sphaera::tool
