#include <index/builder/parallel_partition.hpp>

namespace sphaera::index {

std::vector<Exchange> exchanges_between_pieces(std::span<const std::size_t> firsts, std::size_t items) {
  const std::size_t border = std::reduce(firsts.begin(), firsts.end());
  std::vector<Exchange> exchanges;
  // Neighbors on the wrong side of the border: the later items of pieces on the left, from `left` to
  // `left_end`, and the first items of pieces on the right.
  std::size_t left_piece = 0, left = 0, left_end = 0;
  for (std::size_t piece = border / partition_piece; piece < firsts.size(); ++piece) {
    const std::size_t begin = piece * partition_piece, right_end = begin + firsts[piece];
    for (std::size_t right = std::max(begin, border); right < right_end;) {
      for (; left == left_end; ++left_piece) {
        left = left_piece * partition_piece + firsts[left_piece];
        left_end = std::min({(left_piece + 1) * partition_piece, border, items});
        if (left > left_end) left = left_end;
      }
      const std::size_t count = std::min(left_end - left, right_end - right);
      exchanges.push_back({left, right, count});
      left += count, right += count;
    }
  }
  return exchanges;
}

}  // namespace sphaera::index
