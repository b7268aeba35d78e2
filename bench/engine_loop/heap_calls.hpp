#pragma once
/// \file Counts the process's calls of the heap, those of some threads apart.

#include <cstdint>

namespace sphaera::bench {

/// Calls of malloc and its like so far, by all libraries.
struct HeapCalls {
  std::uint64_t game = 0;    ///< on threads that are the game's
  std::uint64_t others = 0;  ///< on other threads
};
HeapCalls heap_calls();
/// From now on the calling thread is one of the game's.
void count_as_game();

}  // namespace sphaera::bench
