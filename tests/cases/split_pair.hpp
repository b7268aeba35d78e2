#pragma once
/// \file Two spheres relative to one line, as sums of up to four doubles a coordinate: the input of the
/// double-double and the integer stage.

#include <exact/predicates/relative.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <optional>
#include <tests/cases/cases.hpp>

namespace sphaera::test {

struct SplitPair {
  exact::Relative a, b;  ///< of the same direction
  double t = 0;          ///< finite
};

/// Both spheres of a case relative to its path.
SplitPair split_pair(const Case& c);

/// A case of the family. Half of the time its coordinates, directions and radii are split into more terms of
/// the same sum, some then moved by less than an ulp; else one answer is brought to its edge.
SplitPair make_sums(Family family, Random& random);

/// Every term any finite double: the widest integers there are.
SplitPair make_widest_sums(Random& random);

std::string describe(const SplitPair& s);

}  // namespace sphaera::test
