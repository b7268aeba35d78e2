#pragma once
/// \file Errors of JSON and CSV scenes name the line that is wrong.

#include <cstdint>

namespace sphaera::attack {

struct LineCounts {
  std::uint64_t tried = 0, faults = 0;
};

/// Damages one line at a time, in every way that is known, and prints where an error names another one.
LineCounts attack_lines();

}  // namespace sphaera::attack
