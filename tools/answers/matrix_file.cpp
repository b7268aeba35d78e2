#include <algorithm>
#include <io/formats/npy.hpp>
#include <io/formats/numbers.hpp>
#include <sphaera/error.hpp>
#include <string>
#include <tools/answers/matrix_file.hpp>
#include <tools/answers/ordered_pipeline.hpp>
#include <tools/terminal/progress.hpp>
#include <vector>

namespace sphaera::tool {
namespace {

constexpr std::uint64_t piece_rows = 1 << 14;

std::string header(const Matrix& matrix, MatrixFormat format) {
  if (format == MatrixFormat::npy) return io::npy_header("'<f8'", matrix.rows, matrix.columns.size());
  std::string line;
  for (const std::string_view column : matrix.columns) (line += line.empty() ? "" : ",") += column;
  return line + '\n';
}

void append(std::span<const double> numbers, std::size_t columns, MatrixFormat format, std::string& bytes) {
  if (format == MatrixFormat::npy) {
    bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
    return;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    io::append_number(bytes, numbers[i]);
    bytes += (i + 1) % columns == 0 ? '\n' : ',';
  }
}

}  // namespace

void write_matrix(const Matrix& matrix, MatrixFormat format, io::Output& output, const Console& console,
                  const std::stop_token& stop) {
  struct Piece {
    std::uint64_t first, rows;
    std::string bytes{};
  };
  Progress progress(console, matrix.what);
  std::uint64_t next = 0;
  output.write(header(matrix, format));
  in_order<Piece>(
      [&]() -> std::unique_ptr<Piece> {
        if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "writing was cancelled");
        if (next == matrix.rows) return nullptr;
        auto piece = std::make_unique<Piece>(Piece{next, std::min(piece_rows, matrix.rows - next)});
        next += piece->rows;
        return piece;
      },
      [&](Piece& piece, const Turn&) {
        std::vector<double> numbers(piece.rows * matrix.columns.size());
        matrix.fill(piece.first, numbers);
        append(numbers, matrix.columns.size(), format, piece.bytes);
      },
      [&](Piece& piece) {
        output.write(piece.bytes);
        progress.add(piece.rows,
                     static_cast<double>(piece.first + piece.rows) / static_cast<double>(matrix.rows));
      });
  output.flush();
}

}  // namespace sphaera::tool
