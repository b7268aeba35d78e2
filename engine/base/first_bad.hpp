#pragma once
/// \file The first of many items that is not valid, found in parallel.

#include <atomic>
#include <base/arena.hpp>
#include <cstddef>

namespace sphaera::base {

/// The smallest i < n for which `good(i)` is false; n if there is none.
template <class Good>
std::size_t first_bad_of(std::size_t n, const Good& good) {
  std::atomic<std::size_t> first_bad{n};
  parallel_pieces(n, cheap_items_per_piece, [&](std::size_t begin, std::size_t end) {
    std::size_t i = begin;
    while (i < end && good(i)) ++i;
    if (i == end) return;
    std::size_t known = first_bad;
    while (i < known && !first_bad.compare_exchange_weak(known, i)) {
    }
  });
  return first_bad;
}

}  // namespace sphaera::base
