#pragma once
/// \file Where the two programs that damage files differ: sphaera_attack_files reads by the library's readers
/// and counts memory; sphaera_attack_parts merges by the tool's code, which has its own operator new.

#include <cstdint>
#include <tests/attack/formats.hpp>

namespace sphaera::attack {

std::vector<Format> formats_of_attack(const std::filesystem::path& corpus,
                                      const std::filesystem::path& scratch);

/// Makes attempts that are the same in each run; returns the number of faults.
std::uint64_t faults_beforehand();

}  // namespace sphaera::attack
