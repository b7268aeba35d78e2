#pragma once
/// \file The bytes of a saved scene, changed as an attacker would: with right checksums.

#include <string>
#include <tests/inputs/random_numbers.hpp>

namespace sphaera::test {

/// Gives the bytes of a saved scene, whose header may have been changed, the checksums that a reader expects.
/// Returns false if the header does not say where they are.
bool seal(std::string& file);

/// Changes some bytes within the sections or the header: bits, numbers of 32 bits that refer to others, items
/// that change places.
void damage(std::string& file, Random& random);

}  // namespace sphaera::test
