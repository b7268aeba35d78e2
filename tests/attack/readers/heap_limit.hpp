#pragma once
/// \file How much memory operator new has handed out, and a limit on it.

#include <cstddef>

namespace sphaera::attack {

/// Counts from now on. Beyond `limit` bytes at once, operator new throws std::bad_alloc.
void watch_heap(std::size_t limit);
void leave_heap();
std::size_t heap_peak();  ///< bytes, the most at once since watch_heap

}  // namespace sphaera::attack
