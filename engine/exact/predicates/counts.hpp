#pragma once
/// \file Counts of the stages that decided.

#include <cstdint>

namespace sphaera::exact {

/// Decisions that the filter left to stage 2 (double-double) and stage 3 (exact integers).
struct Counts {
  std::uint64_t double_double = 0;
  std::uint64_t exact = 0;
};

}  // namespace sphaera::exact
