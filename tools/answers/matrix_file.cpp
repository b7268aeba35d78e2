#include <algorithm>
#include <sphaera/error.hpp>
#include <string>
#include <tools/answers/matrix_file.hpp>
#include <tools/answers/ordered_pipeline.hpp>
#include <tools/terminal/progress.hpp>
#include <vector>

namespace sphaera::tool {
namespace {

constexpr std::uint64_t piece_rows = 1 << 14;

}  // namespace

void write_matrix(const Matrix& matrix, const io::MatrixFormat& format, io::Output& output,
                  const Console& console, const std::stop_token& stop) {
  struct Piece {
    std::uint64_t first, rows;
    std::string bytes{};
  };
  Progress progress(console, matrix.what);
  std::uint64_t next = 0;
  output.write(format.header(matrix.columns, matrix.rows));
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
        format.append(piece.bytes, numbers, matrix.columns.size());
      },
      [&](Piece& piece) {
        output.write(piece.bytes);
        progress.add(piece.rows,
                     static_cast<double>(piece.first + piece.rows) / static_cast<double>(matrix.rows));
      });
  output.flush();
}

}  // namespace sphaera::tool
