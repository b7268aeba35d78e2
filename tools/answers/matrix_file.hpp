#pragma once
/// \file A table of numbers, too long to hold, written piece by piece as CSV or NPY.

#include <cstdint>
#include <functional>
#include <io/streams/output.hpp>
#include <span>
#include <stop_token>
#include <string_view>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

enum class MatrixFormat { csv, npy };

struct Matrix {
  std::string_view what;  ///< for progress
  std::span<const std::string_view> columns{};
  std::uint64_t rows = 0;
  /// Writes rows first, first + 1, … into `numbers`, row by row, until it is full. From any thread.
  std::function<void(std::uint64_t first, std::span<double> numbers)> fill{};
};

/// Throws Error: io, cancelled. All is handed over to the output; its commit is left to the caller.
void write_matrix(const Matrix& matrix, MatrixFormat format, io::Output& output, const Console& console,
                  const std::stop_token& stop);

}  // namespace sphaera::tool
