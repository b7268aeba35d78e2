#pragma once
/// \file The seed of every random test: from SPHAERA_SEED, else drawn at random for each run and printed
/// first.

#include <cstdint>
#include <cstdlib>
#include <random>

namespace sphaera::test {

inline std::uint64_t seed() {
  static const std::uint64_t value = [] {
    const char* text = std::getenv("SPHAERA_SEED");
    return text ? std::strtoull(text, nullptr, 0) : std::uint64_t{std::random_device{}()};
  }();
  return value;
}

}  // namespace sphaera::test
