#pragma once
/// \file Numbers with singular or plural nouns.

#include <fmt/core.h>

#include <cstdint>
#include <string>

namespace sphaera::tool {

/// "1 sphere", "2 spheres".
inline std::string counted(std::uint64_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

}  // namespace sphaera::tool
