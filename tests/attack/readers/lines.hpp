#pragma once
/// \file Errors of JSON and CSV scenes name the line that is wrong.

#include <cstdint>

namespace sphaera::attack {

struct LineCounts {
  std::uint64_t tried = 0, faults = 0;
};

/// Damages one line at a time, in every way that is known. Prints each damage whose error names a wrong line.
LineCounts attack_lines();

}  // namespace sphaera::attack
