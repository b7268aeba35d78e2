#include <tests/catch.hpp>
#include <tools/answers/piece_size.hpp>

using sphaera::tool::PieceSize;

namespace {

constexpr std::size_t query_bytes = 64;

/// The size of a piece after 100 pieces, in which each query takes these times and bytes.
std::size_t size_after(double read_seconds, double answer_seconds, std::uint64_t answer_bytes) {
  PieceSize size(query_bytes);
  for (int piece = 0; piece < 100; ++piece) {
    const std::size_t n = size.next();
    size.record_reading(n, static_cast<double>(n) * read_seconds);
    size.record_answering(n, n * answer_bytes, static_cast<double>(n) * answer_seconds);
  }
  return size.next();
}

}  // namespace

TEST_CASE("pieces start with one query and grow until their memory is used", "[answers]") {
  PieceSize size(query_bytes);
  CHECK(size.next() == 1);
  size.record_answering(1, 1, 1e-9);
  CHECK(size.next() == 4);
  CHECK(size_after(1e-9, 1e-9, 1) == PieceSize::max_bytes / (query_bytes + 1));
  CHECK(size_after(1e-9, 1e-9, 1 << 20) == PieceSize::max_bytes / (query_bytes + (1 << 20)));
  CHECK(size_after(1e-9, 1e-9, std::uint64_t{1} << 40) == 1);
}

TEST_CASE("pieces take a limited time to read and to answer", "[answers]") {
  const auto limit = static_cast<std::size_t>(PieceSize::longest_seconds / 1e-3);
  CHECK(size_after(1e-3, 1e-9, 1) == limit);
  CHECK(size_after(1e-9, 1e-3, 1) == limit);
  CHECK(size_after(1e-9, 10, 1) == 1);
  CHECK(size_after(0, 0, 1) == PieceSize::max_bytes / (query_bytes + 1));
}
