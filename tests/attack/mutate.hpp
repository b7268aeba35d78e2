#pragma once
/// \file Damage to the bytes of a file.

#include <string>
#include <string_view>
#include <tests/attack/splitmix.hpp>
#include <vector>

namespace sphaera::attack {

/// How many forms of systematic damage there are: the file cut short at every byte, every bit flipped.
std::size_t systematic_mutants(std::string_view file);
std::string systematic_mutant(std::string_view file, std::size_t number);

/// One or more random changes, three on average. `others` are files to splice with.
std::string random_mutant(std::string_view file, const std::vector<std::string>& others, SplitMix64& random);

}  // namespace sphaera::attack
