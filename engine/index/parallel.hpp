#pragma once
/// \file All of oneTBB behind one seam: the caller's arena (or one of n threads), isolated.

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>

namespace sphaera::index {

/// Runs `work` in the caller's arena, or in one of `threads` threads if that is positive. Isolated: a thread
/// that waits inside takes no task of the caller's.
template <class Work>
void in_arena(int threads, const Work& work) {
  if (threads <= 0) {
    tbb::this_task_arena::isolate(work);
  } else {
    const auto limit = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    const int allowed = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), limit));
    tbb::task_arena(allowed).execute([&] { tbb::this_task_arena::isolate(work); });
  }
}

/// body(begin, end) over the pieces 0 … grain … 2·grain … n, in parallel.
template <class Body>
void parallel_pieces(std::size_t n, std::size_t grain, const Body& body) {
  tbb::parallel_for(std::size_t{0}, (n + grain - 1) / grain,
                    [&](std::size_t piece) { body(piece * grain, std::min(n, (piece + 1) * grain)); });
}

/// Folds 0 … n: body(begin, end, value) → value over pieces, joined by `join`, which must be associative and
/// commutative to the last bit.
template <class Value, class Body, class Join>
Value parallel_fold(std::size_t n, const Value& start, const Body& body, const Join& join) {
  constexpr std::size_t grain = 1 << 14;
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, n, grain), start,
      [&](const tbb::blocked_range<std::size_t>& r, Value value) { return body(r.begin(), r.end(), value); },
      join);
}

}  // namespace sphaera::index
