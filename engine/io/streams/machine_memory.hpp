#pragma once
/// \file Available memory, so that an endless scene is an error and does not exhaust the machine.

#include <cstdint>
#include <filesystem>
#include <string>

namespace sphaera::io {

/// Bytes that this process may use, measured at the first call: available memory plus free swap
/// (/proc/meminfo), or the limit of its control group or of `ulimit -v` if that is less. UINT64_MAX if
/// unknown.
std::uint64_t machine_memory();

/// The least memory limit in bytes of this process's control group and the groups around it, of version 1 or
/// 2, UINT64_MAX if there is none. `root` is the folder of /proc and /sys, "/" except in tests.
std::uint64_t control_group_limit(const std::filesystem::path& root);

/// Bytes of memory that this process takes now; 0 if unknown.
std::uint64_t resident_memory();

/// machine_memory() less `held` bytes, at least 1; 0 if unknown.
std::uint64_t memory_beside(std::uint64_t held);

/// Throws Error out_of_memory, naming the file, if `bytes` exceeds machine_memory().
void check_memory(std::uint64_t bytes, const std::string& file);

/// The same check before the vector `items` grows beyond its capacity. Old and new storage exist at the same
/// time for a moment.
template <class Items>
void check_growth(const Items& items, std::uint64_t other_bytes, const std::string& file) {
  if (items.size() < items.capacity()) [[likely]]
    return;
  check_memory(other_bytes + 3 * items.capacity() * sizeof(items[0]), file);
}

}  // namespace sphaera::io
