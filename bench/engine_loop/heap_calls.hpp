#pragma once
/// \file Counts the process's calls of the heap; those of the game's threads are counted separately.

#include <cstdint>

namespace sphaera::bench {

/// Allocations so far (malloc, calloc, realloc, memalign …) by all libraries; calls of free do not count.
struct HeapCalls {
  std::uint64_t game = 0;    ///< on threads that called count_as_game()
  std::uint64_t others = 0;  ///< on other threads
};
HeapCalls heap_calls();
/// From now on the calling thread is one of the game's.
void count_as_game();

}  // namespace sphaera::bench
