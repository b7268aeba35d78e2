#pragma once
/// \file The number of queries that are read and answered together.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sphaera::tool {

/// Large pieces are answered faster, because the library sorts the queries of a call (decisions.md). A limit
/// of bytes bounds the memory; a limit of time keeps progress, and answers to a slow pipe, prompt.
class PieceSize {
 public:
  /// Limit of the queries of a piece and their answers together, in bytes.
  static constexpr std::uint64_t max_bytes = std::uint64_t{32} << 20;
  static constexpr double longest_seconds = 0.5;  ///< to read or to answer a piece

  explicit PieceSize(std::size_t query_bytes) : query_bytes_(static_cast<double>(query_bytes)) {}

  /// Size of the next piece: 1 at first, because a query can hit every sphere.
  std::size_t next() const { return next_; }

  /// Call when a piece has been read.
  void record_reading(std::size_t queries, double seconds) {
    read_seconds_ = seconds / static_cast<double>(queries);
  }

  /// Call when a piece has been answered; one more may have been read meanwhile.
  void record_answering(std::size_t queries, std::uint64_t answer_bytes, double seconds) {
    constexpr double growth = 4;  // limit for the piece after next, relative to this one
    const auto count = static_cast<double>(queries);
    queries_ += count, answer_bytes_ += static_cast<double>(answer_bytes);
    const double slowest = std::max(read_seconds_, seconds / count);
    const double fit = static_cast<double>(max_bytes) / (query_bytes_ + answer_bytes_ / queries_);
    double most = std::min(growth * count, fit);
    if (slowest * most > longest_seconds) most = longest_seconds / slowest;
    next_ = static_cast<std::size_t>(std::max(1., most));
  }

 private:
  double query_bytes_, read_seconds_ = 0, queries_ = 0, answer_bytes_ = 0;
  std::size_t next_ = 1;
};

}  // namespace sphaera::tool
