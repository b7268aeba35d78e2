#pragma once
/// \file Shards of a result and what lies beside them, damaged and merged by the tool's own code, in process.

#include <attack/formats.hpp>

namespace sphaera::attack {

/// Makes shards of a small result in a new folder under `scratch`, in a child process, and offers each of
/// their files as a format.
std::vector<Format> part_formats(const std::filesystem::path& scratch);

}  // namespace sphaera::attack
