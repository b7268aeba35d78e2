#pragma once
/// \file Partition of an array in its own memory, by many threads. The order of the items afterwards is the
/// same for any number of threads.

#include <algorithm>
#include <base/arena.hpp>
#include <exact/numbers/arithmetic.hpp>
#include <numeric>
#include <span>
#include <vector>

namespace sphaera::index {

/// Moves the items for which is_first(item) holds to the front; returns their number. There is no branch on
/// is_first: it would be mispredicted half the time.
template <class Item, class IsFirst>
SPHAERA_INLINE std::size_t partition_serially(std::span<Item> items, const IsFirst& is_first) {
  std::size_t first = 0;
  for (Item& item : items) {
    const Item here = item;
    const bool before = is_first(here);
    item = items[first];
    items[first] = here;
    first += before;
  }
  return first;
}

/// Items that one thread partitions.
inline constexpr std::size_t partition_piece = 1 << 14;
/// Fewer items are partitioned by one thread: exchanges would cost more than they save.
inline constexpr std::size_t partitioned_in_pieces = 8 * partition_piece;

/// Two runs of `count` items, from `left` on and from `right` on, that change places.
struct Exchange {
  std::size_t left, right, count;
};

/// The exchanges that complete a partition of `items` items after each piece is partitioned. The first
/// firsts[i] items of piece i belong before the common border.
std::vector<Exchange> exchanges_between_pieces(std::span<const std::size_t> firsts, std::size_t items);

/// Moves the items for which is_first(item) holds to the front; returns their number.
template <class Item, class IsFirst>
std::size_t partition(std::span<Item> items, const IsFirst& is_first) {
  if (items.size() < partitioned_in_pieces) return partition_serially(items, is_first);
  std::vector<std::size_t> firsts((items.size() + partition_piece - 1) / partition_piece);
  base::parallel_pieces(items.size(), partition_piece, [&](std::size_t begin, std::size_t end) {
    firsts[begin / partition_piece] = partition_serially(items.subspan(begin, end - begin), is_first);
  });
  const std::vector<Exchange> exchanges = exchanges_between_pieces(firsts, items.size());
  base::parallel_pieces(exchanges.size(), 1, [&](std::size_t i, std::size_t) {
    const auto& [left, right, count] = exchanges[i];
    std::ranges::swap_ranges(items.subspan(left, count), items.subspan(right, count));
  });
  return std::reduce(firsts.begin(), firsts.end());
}

}  // namespace sphaera::index
