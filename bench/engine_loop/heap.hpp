#pragma once
/// \file Counts the process's calls of the heap.

#include <cstdint>

namespace sphaera::bench {

/// Calls of malloc and its like so far, by all threads and libraries.
std::uint64_t heap_calls();

}  // namespace sphaera::bench
