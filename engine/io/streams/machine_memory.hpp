#pragma once
/// \file How much memory there is, so that a scene without end is an error and not the end of the machine.

#include <cstdint>
#include <string>

namespace sphaera::io {

/// Bytes that this process may take, as of the first call: what /proc/meminfo calls available, with free
/// swap, or the limit of its control group or by `ulimit -v` if that is less. UINT64_MAX where none is known.
std::uint64_t machine_memory();

/// What is left of it beside `held` bytes, at least 1; 0 if it is not known.
std::uint64_t memory_beside(std::uint64_t held);

/// Throws Error out_of_memory, naming the file, if `bytes` are more than machine_memory().
void check_memory(std::uint64_t bytes, const std::string& file);

/// The same before `items`, a vector, grows by one beyond its capacity: old and new live for a moment.
template <class Items>
void check_growth(const Items& items, std::uint64_t other_bytes, const std::string& file) {
  if (items.size() < items.capacity()) [[likely]]
    return;
  check_memory(other_bytes + 3 * items.capacity() * sizeof(items[0]), file);
}

}  // namespace sphaera::io
