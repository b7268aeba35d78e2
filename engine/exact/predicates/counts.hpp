#pragma once
/// \file Which stage decided.

#include <cstdint>

namespace sphaera::exact {

/// How often the filter was unsure: decisions taken by stage 2 and by stage 3.
struct Counts {
  std::uint64_t double_double = 0;
  std::uint64_t exact = 0;
};

}  // namespace sphaera::exact
