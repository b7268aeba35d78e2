#pragma once
/// \file Each stage of engine/exact alone: right wherever it is sure, whatever the others would say.

#include <tests/cases/predicates.hpp>

namespace sphaera::test {

/// How often a stage knew the answer.
struct Knowledge {
  std::uint64_t sure = 0, unsure = 0;
};

struct Stages {
  Knowledge filter_fused, filter_plain, double_double_fused, double_double_plain;
};

/// Puts all predicates to the filter, with and without fused multiply-add, and `meets` and `contact` also to
/// FilteredPredicate, for a case with these truths. Empty if every sure answer is right, else the wrong one
/// with all inputs in hex.
std::string check_filter(const Case& c, const Truths& truths, Stages& stages);

/// The same for double-double, integers, and double-double with integers where it is unsure.
std::string check_sums(const SplitPair& s, Stages& stages);

}  // namespace sphaera::test
